"""`script/lint`: every static check, one line each. Needs no database.

.venv/bin/python -m tests.support.lint [names …]
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from config.embedded.stack import ROOT
from tests.support import api_types

BIN = Path(sys.executable).parent
FRONTEND = ROOT / "frontend"
LONGEST = 400
SUFFIXES = (".py", ".ts", ".tsx")
# Names that say nothing: a file is named after its one idea.
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "services", "service", "common", "misc", "shared", "lib"}
GENERATED = ("frontend/src/api/schema.d.ts",)

Result = tuple[bool, str]


def run(*command: str, cwd: Path = ROOT, timeout: float | None = None) -> Result:
    """Run one program: whether it succeeded, and what it said."""
    env = {
        **os.environ,
        "PATH": f"{BIN}:{os.environ.get('PATH', '')}",
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        command, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=timeout, check=False,
    )  # fmt: skip
    return done.returncode == 0, done.stdout


def own_files() -> list[Path]:
    """The files that git knows or would add, without generated ones."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [
        Path(name)
        for name in sorted(set(listed))
        if name.endswith(SUFFIXES)
        and name not in GENERATED
        and "/migrations/" not in name
        and (ROOT / name).is_file()
    ]


def check_lengths() -> Result:
    """No file is longer than four hundred lines."""
    long = []
    for path in own_files():
        count = len((ROOT / path).read_text(errors="replace").splitlines())
        if count > LONGEST:
            long.append(f"{path}: {count} lines, at most {LONGEST}")
    return not long, "\n".join(long)


def check_names() -> Result:
    """No file or folder is named after nothing."""
    bad = [
        f"{path}: a name that says what is in it"
        for path in own_files()
        if EMPTY_NAMES.intersection(part.split(".")[0] for part in path.parts)
    ]
    return not bad, "\n".join(bad)


def check_lock_file() -> Result:
    """No lock file of the front end names a registry."""
    named = []
    for lock in (FRONTEND / "package-lock.json", api_types.PACKAGE / "package-lock.json"):
        packages = json.loads(lock.read_text()).get("packages", {})
        named += [
            f"{lock.relative_to(ROOT)}: {name} records an address"
            for name, entry in packages.items()
            if "resolved" in entry and not entry.get("link")
        ]
    return not named, "\n".join(named)


def check_api_types() -> Result:
    """The front end's types are those of the API as it is."""
    try:
        written = api_types.schema()
    except subprocess.CalledProcessError as error:
        return False, f"schema.d.ts could not be written: {error}"
    if api_types.SCHEMA.read_text(encoding="utf-8") == written:
        return True, ""
    return False, "schema.d.ts is not the API's: run .venv/bin/python -m tests.support.api_types"


def node(package: str, script: str, *arguments: str) -> Result:
    """Run a program of the front end's packages."""
    program = FRONTEND / "node_modules" / package / script
    if not program.exists():
        return False, "The front-end packages are not installed: run script/bootstrap."
    return run(str(BIN / "node"), str(program), *arguments, cwd=FRONTEND)


STEPS: dict[str, Callable[[], Result]] = {
    "ruff": lambda: run(str(BIN / "ruff"), "check", "--quiet", "--output-format", "concise", "."),
    "ruff format": lambda: run(str(BIN / "ruff"), "format", "--check", "--quiet", "."),
    "mypy": lambda: run(str(BIN / "mypy"), "--no-error-summary", "."),
    "imports": lambda: run(str(BIN / "lint-imports"), "--no-logo"),
    "migrations": lambda: run(
        sys.executable, "-W", "ignore", "manage.py", "makemigrations", "--check", "--dry-run"
    ),
    "deploy check": lambda: production_check(),
    "file lengths": check_lengths,
    "file names": check_names,
    "lock file": check_lock_file,
    "api types": check_api_types,
    "tsc": lambda: node("typescript", "bin/tsc", "--noEmit"),
    "biome": lambda: node("@biomejs/biome", "bin/biome", "ci", "--colors=off", "."),
}


def production_check() -> Result:
    """`manage.py check --deploy` finds nothing under production settings."""
    env = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "x1-" + "abcdefghijklmnopqrstuvwxyz0123456789" * 2,
        "ALLOWED_HOSTS": "countersign.example",
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "BROKER_URL": "redis://127.0.0.1:1/0",
        "CHANNEL_URL": "redis://127.0.0.1:1/1",
        "FIELD_KEY": "k" * 43 + "=",
        "PATH": os.environ.get("PATH", ""),
        "DATA_DIR": str(ROOT / ".cache" / "check"),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.returncode == 0, done.stdout


def main() -> int:
    chosen = sys.argv[1:] or list(STEPS)
    unknown = [name for name in chosen if name not in STEPS]
    if unknown:
        print(f"There is no check named {', '.join(unknown)}. Known: {', '.join(STEPS)}.")
        return 2
    failed = []
    for name in chosen:
        started = time.monotonic()
        good, output = STEPS[name]()
        print(f"{name:<14}{'ok' if good else 'failed':<8}{time.monotonic() - started:5.1f} s", flush=True)
        if not good:
            failed.append(name)
            print(output.rstrip(), flush=True)
    print(
        f"{len(chosen) - len(failed)} checks passed, {len(failed)} failed"
        + (f": {', '.join(failed)}" if failed else "")
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
