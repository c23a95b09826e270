"""The system's own reasons are told apart from a person's, and the workbench knows those that end a lock."""

from config.env import ROOT
from tasks.domain.system_reasons import SystemReason, split_reason

#: The other never ends anybody's hold.
NOT_OF_LOCKS = {SystemReason.BY_ITSELF}


def test_what_a_person_typed_stays_whole() -> None:
    assert split_reason(SystemReason.ON_HOLD.because("light: too dark")) == (
        SystemReason.ON_HOLD,
        "light: too dark",
    )
    assert split_reason(SystemReason.NO_MEMBER) == (SystemReason.NO_MEMBER, "")
    assert split_reason("lunch: back at two") == (None, "lunch: back at two")
    assert split_reason("") == (None, "")


def test_the_workbench_has_words_for_each_that_ends_a_lock() -> None:
    banner = (ROOT / "frontend" / "src" / "workbench" / "LockBanner.tsx").read_text(encoding="utf-8")
    known = {reason for reason in SystemReason if f'  "{reason}": "lock.why' in banner}
    assert known == set(SystemReason) - NOT_OF_LOCKS
