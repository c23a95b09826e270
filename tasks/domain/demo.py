"""What the demo is made of (page 06, "Demo accounts")."""

from dataclasses import dataclass
from typing import Any

from tasks.domain.matrix import Role


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """Somebody to sign in as; `role` None for the super admin."""

    username: str
    first_name: str
    last_name: str
    role: Role | None


PEOPLE = (
    DemoPerson("root", "Ruth", "Keller", None),
    DemoPerson("olga", "Olga", "Petrova", Role.PROJECT_ADMIN),
    DemoPerson("otto", "Otto", "Brandt", Role.PROJECT_ADMIN),
    DemoPerson("rita", "Rita", "Sánchez", Role.REVIEWER),
    DemoPerson("ravi", "Ravi", "Kumar", Role.REVIEWER),
    DemoPerson("anna", "Anna", "Weber", Role.ANNOTATOR),
    DemoPerson("abel", "Abel", "Okoye", Role.ANNOTATOR),
    DemoPerson("vera", "Vera", "Lindqvist", Role.VIEWER),
)
OWNER = "olga"

PROJECT = "Demo"
DESCRIPTION = "Four pictures to try everything with. The model proposes, a person countersigns."
#: Colours that stay apart for people who see colours differently; aliases are what models call it.
LABELS: list[dict[str, Any]] = [
    {"name": "cup", "color": "#0072b2", "key": "1", "aliases": ["mug", "coffee cup", "coffee mug"]},
    {"name": "spoon", "color": "#e69f00", "key": "2", "aliases": ["teaspoon"]},
    {"name": "bowl", "color": "#009e73", "key": "3", "aliases": ["saucer"]},
    {"name": "person", "color": "#cc79a7", "key": "4", "aliases": ["astronaut", "woman", "man"]},
    {"name": "cat", "color": "#d55e00", "key": "5", "aliases": ["kitten", "tabby"]},
    {"name": "dining table", "color": "#8a6d00", "key": "6", "aliases": ["table", "desk"]},
    {"name": "rocket", "color": "#7a4fbf", "key": "7", "aliases": ["missile", "space rocket"]},
    {"name": "flag", "color": "#56b4e9", "key": "8", "aliases": []},
    {"name": "tie", "color": "#b3404a", "key": "9", "aliases": []},
]
QUESTION = "Which objects go to cut-out?"

BATCH = "First pictures"
ASSIGNEES = ("anna", "abel")
#: File names in the pictures' folder, and whether the picture goes to the assigned batch or to the Inbox.
PICTURES = (("coffee.png", True), ("chelsea.png", True), ("astronaut.png", True), ("rocket.jpg", False))
