"""PATCH /projects/{id}: other label names or kinds of shapes are another question for its tasks (page 05)."""

import pytest

from review.models import Prediction
from tasks.models import Event, Task
from tasks.operations.transactions import db_now
from tests.support.editing import CUP_ITEM, SPOON_ITEM, a_desk

pytestmark = pytest.mark.django_db


def confirmed():
    """Anna's confirmed task, with a suggestion that could be applied."""
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 10, 10]))
    Prediction.objects.create(
        task=desk.task, candidate_set=active, selected_ids=["b1"], config_version=1, created_at=db_now()
    )
    desk.claim("anna")
    assert desk.save("anna", [CUP_ITEM]).status == 200
    assert desk.confirm("anna").status == 201
    return desk


def change(desk, who="olga", **settings):
    return desk.call(who, "patch", f"projects/{desk.house.project.pk}", settings)


def state(desk):
    editor = desk.editor("anna")
    return (
        editor["config"]["version"],
        editor["has_confirmed_snapshot"],
        editor["is_confirmed"],
        editor["prediction"]["failed_conditions"],
    )


CURRENT, STALE = (1, True, True, []), (2, False, False, ["config_version"])


@pytest.mark.parametrize(
    ("wanted", "after"),
    [
        ({"labels": ["cup", "spoon", "fork"]}, STALE),
        ({"labels": ["cup"]}, STALE),
        ({"labels": [{"id": "l1", "name": "mug"}, {"id": "l2", "name": "spoon"}]}, STALE),
        ({"geometries": ["bbox"]}, STALE),
        # Looks, and what models call it.
        ({"labels": [{"name": "spoon", "color": "#123456"}, {"name": "cup", "key": "c"}]}, CURRENT),
        ({"labels": [{"name": "cup", "aliases": ["mug"]}, {"name": "spoon"}]}, CURRENT),
        ({"geometries": ["polygon", "bbox", "point"]}, CURRENT),
        ({"name": "Another", "four_eyes": False}, CURRENT),
    ],
)
def test_what_changes_the_question(wanted, after):
    desk = confirmed()
    assert state(desk) == CURRENT
    assert change(desk, **wanted).status == 200
    assert state(desk) == after


def test_the_one_who_works_on_it_is_told_and_confirms_anew():
    desk = confirmed()
    other = a_desk()
    assert change(desk, labels=["cup", "spoon", "fork"]).status == 200
    assert desk.told() == ("config", "olga")
    stale = desk.confirm("anna", expected_config_version=1)
    assert (stale.status, stale.code) == (409, "VERSION_CONFLICT")
    assert stale.body["snapshot"]["config"]["version"] == 2
    assert desk.confirm("anna").body["annotation"]["config_version"] == 2
    assert state(desk)[:3] == (2, True, True)
    # Another project's tasks ask what they asked.
    assert other.editor("anna")["config"]["version"] == 1


def test_who_works_with_a_kind_of_shape_that_is_taken_away_goes_on_saving():
    desk = confirmed()
    assert change(desk, geometries=["point"]).status == 200
    assert desk.save("anna", [CUP_ITEM, SPOON_ITEM]).status == 200
    refused = desk.confirm("anna")
    assert (refused.status, refused.fields) == (422, ["items.0.geometry"])
    assert desk.save("anna", [SPOON_ITEM]).status == 200
    assert desk.confirm("anna").status == 201


def test_tasks_that_nobody_works_on_change_too_without_an_event_each():
    desk = confirmed()
    desk.call("anna", "delete", "tasks/{task}/lock?client_id=page of anna")
    before = Event.objects.filter(task=desk.task).count()
    change(desk, labels=["cup", "spoon", "fork"])
    assert state(desk) == STALE
    assert Event.objects.filter(task=desk.task).count() == before


def test_kinds_of_a_tasks_own_are_not_the_projects():
    desk = confirmed()
    Task.objects.filter(pk=desk.task.pk).update(geometries=["bbox"])
    change(desk, geometries=["bbox", "point"])
    assert state(desk) == CURRENT
    change(desk, labels=["cup"])
    assert state(desk) == STALE


def test_a_refused_change_changes_no_version():
    desk = confirmed()
    assert change(desk, labels=["cup", "cup"]).status == 422
    assert change(desk, "anna", labels=["fork"]).code == "ROLE_FORBIDDEN"
    assert state(desk) == CURRENT
