"""Looking again whether the people behind open streams may still have them."""

from collections.abc import Collection
from uuid import UUID

from tasks.queries.stream_access import (
    active_people,
    live_sessions,
    live_tokens,
    viewer_pairs,
    visible_pairs,
)
from tasks.queries.stream_opening import hidden_from
from tasks.realtime.mailbox import Ending, Mailbox, Reader
from tasks.realtime.visitor import password_stamp

#: A stream with the task or the project that it shows.
Place = tuple[Mailbox, UUID | None, UUID | None]


def endings(places: Collection[Place]) -> dict[Mailbox, Ending]:
    """The streams that have to end, and why. Reads the database.

    `wanted` of a reader is its task alone, so a viewer's pair says that the person only looks on there.
    """
    visitors = {mailbox.visitor for mailbox, _, _ in places}
    people = active_people({visitor.user_id for visitor in visitors})
    sessions = live_sessions({visitor.session_key for visitor in visitors if visitor.session_key})
    tokens = live_tokens({visitor.token_id for visitor in visitors if visitor.token_id})
    tasks: dict[UUID, set[UUID]] = {}
    projects: dict[UUID, set[UUID]] = {}
    for mailbox, task_id, project_id in places:
        if task_id is not None:
            tasks.setdefault(mailbox.visitor.user_id, set()).add(task_id)
        if project_id is not None:
            projects.setdefault(mailbox.visitor.user_id, set()).add(project_id)
    allowed = visible_pairs(people=people, tasks=tasks, projects=projects)
    viewers = viewer_pairs(tasks) if tasks else set()

    found: dict[Mailbox, Ending] = {}
    for mailbox, task_id, project_id in places:
        visitor = mailbox.visitor
        person = people.get(visitor.user_id)
        is_signed_in = (
            person is not None
            and password_stamp(person) == visitor.password_stamp
            and (visitor.session_key is None or visitor.session_key in sessions)
            and (visitor.token_id is None or visitor.token_id in tokens)
        )
        wanted = {(visitor.user_id, place) for place in (task_id, project_id) if place is not None}
        if not is_signed_in:
            found[mailbox] = Ending.SIGNED_OUT
        elif not wanted <= allowed:
            found[mailbox] = Ending.FORBIDDEN
        elif isinstance(mailbox, Reader) and mailbox.hidden != hidden_from(is_viewer=wanted <= viewers):
            # Another role since it was opened: it begins anew, with what that role sees, or is refused.
            found[mailbox] = Ending.RESTART
    return found
