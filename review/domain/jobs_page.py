"""The reference page of jobs, written from the literal itself."""

from review.domain.job_states import MOVES, TERMINAL, WAITING, JobStatus, Trigger

_NOTICE = "<!-- Written by `manage.py write_docs` from the literal in review/domain. Do not edit. -->"
_INTRODUCTION = (
    "Every change of a job's status is one row of the table below, made by one of the triggers it names. "
    "Anything else raises and writes nothing; the target equal to the present status returns quietly. "
    "Nothing leaves an end: the database refuses it."
)
_TRIGGERS = {
    Trigger.CONTROL_PLANE: "The control plane itself: a job is accepted, results and end are stored.",
    Trigger.REPORT: "A worker's report, or that none came.",
    Trigger.ANSWER: "A person's answer to the pause.",
    Trigger.CANCEL: "A person's cancel.",
    Trigger.ROUTING: "The project's routing policy, where it is on: its version is stored on the job.",
    Trigger.TIMEOUT_DEFAULT: (
        "The project's timeout default, where it is on and the pause was made under that version: the path "
        "of the declared answer. Its version is stored on the job and the pause."
    ),
}
_NO_CLOCK = (
    "No clock is among them. A policy is off until a project admin declares it; *timeout to queue* changes "
    "whom a pause asks and moves nothing, so it has no row here."
)


def jobs_page() -> str:
    """The page in Markdown."""
    return (
        "\n\n".join(
            [
                _NOTICE,
                "# Jobs",
                _INTRODUCTION,
                "## Statuses",
                _diagram(),
                "## Moves",
                _moves(),
                "## Triggers",
                _triggers(),
                _NO_CLOCK,
            ]
        )
        + "\n"
    )


def _diagram() -> str:
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {JobStatus.CREATED}"]
    for source, targets in MOVES.items():
        lines += [
            f"    {source} --> {target}: {', '.join(sorted(triggers))}"
            for target, triggers in targets.items()
            if target not in {JobStatus.FAILED, JobStatus.CANCELLED}
        ]
    lines += [f"    {status} --> [*]" for status in JobStatus if status in TERMINAL]
    return "\n".join([*lines, "```"]) + "\n\nEvery status that is no end may also become FAILED or CANCELLED."


def _moves() -> str:
    lines = ["| from | to | by |", "| --- | --- | --- |"]
    for source, targets in MOVES.items():
        name = f"{source} (a person is asked)" if source in WAITING else source
        lines += [f"| {name} | {target} | {', '.join(sorted(by))} |" for target, by in targets.items()]
        if not targets:
            lines.append(f"| {name} | nothing | |")
    return "\n".join(lines)


def _triggers() -> str:
    lines = ["| trigger | what it is |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {trigger} | {_TRIGGERS[trigger]} |" for trigger in Trigger)])
