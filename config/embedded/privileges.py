"""How a child process is started: it ends with its parent, and PostgreSQL does not run as root.

As root PostgreSQL refuses to start. We do not open up folders or make users for it: the child takes the
identity of an existing unprivileged user and keeps one capability, to pass through folders that only root
may enter (a checkout under /root).
"""

import ctypes
import os
import pwd
import signal
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAPABILITY_VERSION_3 = 0x20080522
CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2
UNPRIVILEGED = ("postgres", "daemon", "nobody")


class CapabilityHeader(ctypes.Structure):
    """`struct __user_cap_header_struct` of linux/capability.h."""

    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class CapabilityData(ctypes.Structure):
    """`struct __user_cap_data_struct` of linux/capability.h."""

    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


def unprivileged_user(folder: Path) -> pwd.struct_passwd | None:
    """The user that PostgreSQL runs as where we are root: the owner of its folder, if it has one already."""
    if os.geteuid() != 0:
        return None
    if folder.exists() and folder.stat().st_uid != 0:
        try:
            return pwd.getpwuid(folder.stat().st_uid)
        except KeyError:
            pass
    for name in UNPRIVILEGED:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise LookupError("This system has none of the users postgres, daemon and nobody.")


def give_folder(folder: Path, user: pwd.struct_passwd | None) -> None:
    """Make the folder and all that is in it the user's own; nothing to do when it is already."""
    if user is None or folder.stat().st_uid == user.pw_uid:
        return
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            os.chown(Path(place) / name, user.pw_uid, user.pw_gid, follow_symlinks=False)
        os.chown(place, user.pw_uid, user.pw_gid)


def in_child(
    *, parent: int, death_signal: signal.Signals, user: pwd.struct_passwd | None = None
) -> Callable[[], None]:
    """A `preexec_fn`: takes the user's identity; the kernel sends `death_signal` when the parent ends."""

    def prepare() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        if user is not None:
            become(user)
        # After the change of identity: that clears it.
        LIBC.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def become(user: pwd.struct_passwd) -> None:
    """Drop root for `user`, keeping the capability to pass through folders where the system grants it."""
    os.setgroups([])
    LIBC.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    # Containers grant DAC_OVERRIDE and not the smaller DAC_READ_SEARCH.
    for capability in (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE):
        header = CapabilityHeader(CAPABILITY_VERSION_3, 0)
        data = (CapabilityData * 2)()
        bit = 1 << capability
        data[0] = CapabilityData(bit, bit, bit)
        if LIBC.capset(ctypes.byref(header), data) != 0:
            continue
        if LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) == 0:
            return
