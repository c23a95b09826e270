"""A person as the API shows them."""

from tasks.models import User


def user_body(user: User) -> dict[str, str]:
    """{id, username, name}; the name is never empty."""
    return {"id": str(user.pk), "username": user.username, "name": user.name}


def user_body_or_none(user: User | None) -> dict[str, str] | None:
    """As `user_body`; None for nobody."""
    return None if user is None else user_body(user)
