"""The domain's literals and rules, without a database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.domain.errors import ValidationFailed
from tasks.domain.labels import MOST_LABELS, filled_labels
from tasks.domain.matrix import OPERATIONS, TRANSITIONS, Action, LockNeed, Role, Scope, required_roles
from tasks.domain.statuses import Status


def test_every_action_has_a_row_that_says_something() -> None:
    assert set(TRANSITIONS) == set(Action)
    for action, row in TRANSITIONS.items():
        assert row.sources, action
        assert row.audit == f"task.{action}"
        assert Role.VIEWER not in row.roles
        assert Role.SUPER_ADMIN in row.roles
        assert required_roles(action) == [role.value for role in Role if role in row.roles]


def test_the_seeds_matrix_is_the_literals() -> None:
    """Seed 001's table, typed again: (action, from, to, reviewer, annotator)."""
    seed = {
        Action.CLAIM: (Status.PENDING, Status.IN_PROGRESS, Scope.ANY, Scope.OWN_BATCH),
        Action.SUBMIT: (Status.IN_PROGRESS, Status.REVIEW, Scope.ANY, Scope.HOLDS_LOCK),
        Action.WITHDRAW: (Status.IN_PROGRESS, Status.PENDING, Scope.ANY, Scope.HOLDS_LOCK),
        Action.APPROVE: (Status.REVIEW, Status.COMPLETED, Scope.ANY, None),
        Action.REJECT: (Status.REVIEW, Status.PENDING, Scope.ANY, None),
        Action.REOPEN: (Status.COMPLETED, Status.PENDING, None, None),
    }
    for action, (source, target, reviewer, annotator) in seed.items():
        row = TRANSITIONS[action]
        assert source in row.sources
        assert row.target == target
        assert row.roles.get(Role.REVIEWER) == reviewer
        assert row.roles.get(Role.ANNOTATOR) == annotator
    assert TRANSITIONS[Action.REOPEN].roles[Role.PROJECT_ADMIN] is Scope.OWNER
    assert TRANSITIONS[Action.REOPEN].lock is LockNeed.NONE


def test_a_viewer_reads_and_nothing_else() -> None:
    for operation, permission in OPERATIONS.items():
        may = any(Role.VIEWER in roles for roles in permission.by_status.values())
        assert may == (operation == "read")


@given(
    st.lists(
        st.text(min_size=1, max_size=20).filter(str.strip),
        max_size=20,
        unique_by=lambda s: s.strip().casefold(),
    )
)
def test_names_become_labels_with_everything_filled_in(names: list[str]) -> None:
    labels = filled_labels(list(names))
    assert [label["name"] for label in labels] == [name.strip() for name in names]
    assert len({label["id"] for label in labels}) == len(names)
    assert filled_labels([dict(label) for label in labels]) == labels


@pytest.mark.parametrize(
    ("given_labels", "field"),
    [
        (["cup", " "], "labels.1.name"),
        ([{"name": "c" * 101}], "labels.0.name"),
        ([{"name": "cup", "id": "i" * 101}], "labels.0.id"),
        ([{"name": "cup", "color": "red"}], "labels.0.color"),
        ([{"name": "cup", "key": "ab"}], "labels.0.key"),
        ([{"name": "cup", "aliases": [""]}], "labels.0.aliases"),
        ([{"name": "cup", "aliases": ["mug"] * 51}], "labels.0.aliases"),
        ([{"name": "cup", "key": "1"}, {"name": "spoon", "key": "1"}], "labels.1.key"),
        ([str(n) for n in range(MOST_LABELS + 1)], "labels"),
    ],
)
def test_what_is_no_label_is_named(given_labels: list[object], field: str) -> None:
    with pytest.raises(ValidationFailed) as caught:
        filled_labels(given_labels)
    assert caught.value.status == 422
    assert field in [error.field for error in caught.value.errors]
