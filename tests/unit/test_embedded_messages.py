"""What a failed set-up says: the cause in words and the next step, whichever program failed."""

import errno
from pathlib import Path

import pytest

from config.embedded import failure, progress


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("npm error code ENOSPC\nnpm error syscall write", "the disk is full"),
        ("initdb: error: could not write: No space left on device", "the disk is full"),
        ("npm error code EAI_AGAIN", "cannot be reached"),
        ("WARNING: Retrying: Failed to establish a new connection: NewConnectionError", "cannot be reached"),
        ("ERROR: no version satisfies django==5.2.19 (from versions: none)", "cannot be reached"),
        ("ERROR: no version satisfies django==9.0 (from versions: 5.1, 5.2)", "It said"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "may not be written"),
        ("something else\nbroke", "It said"),
    ],
)
def test_output_is_judged(output: str, said: str) -> None:
    assert said in str(failure.from_output("The step", output))


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EACCES, "may not be written"),
        (errno.EROFS, "may not be written"),
    ],
)
def test_os_errors_are_told(number: int, said: str) -> None:
    message = str(failure.from_os_error(OSError(number, "refused", "/place/file")))
    assert said in message
    assert "/place/file" in message


def test_tail_keeps_the_last_lines() -> None:
    assert failure.tail("a\n\nb\nc\n", 2) == "  b\n  c"


def test_the_sign_of_life_shows_the_step_and_not_a_library_remark(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("warming the models\nINFO: Created TensorFlow Lite XNNPACK delegate for CPU.\n")
    assert progress.last_line(log) == "warming the models"
