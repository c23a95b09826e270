"""A member as the API shows them."""

from typing import Any

from tasks.models import Membership
from tasks.queries.user_body import user_body


def member_body(membership: Membership) -> dict[str, Any]:
    """{user, role}; the membership comes with its user."""
    return {"user": user_body(membership.user), "role": membership.role}
