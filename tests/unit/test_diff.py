"""Reading a person's list and comparing it with what was shown."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.domain.boxes import MODEL, Box, check_shape, read_subjects
from review.domain.coordinates import centre_of_box
from review.domain.diff import check_complete, diff
from review.domain.job_errors import SubjectsIncomplete
from tasks.domain.errors import ValidationFailed

W, H = 200, 100


def model_box(number, bbox=(10.0, 10.0, 50.0, 50.0)):
    return Box(
        box_id=f"box_{number}",
        label=f"thing {number}",
        bbox=bbox,
        center=centre_of_box(bbox),
        score=0.5,
        source=MODEL,
    )


def read(subjects, shown, ids=None):
    numbers = ids or count(1000)
    return read_subjects(
        subjects=subjects, shown=shown, width=W, height=H, make_id=lambda: f"box_{next(numbers)}"
    )


corners = st.tuples(st.floats(0, W - 1), st.floats(0, H - 1), st.floats(1, W), st.floats(1, H)).filter(
    lambda box: box[2] > box[0] and box[3] > box[1]
)

change = st.sampled_from(["keep", "drop", "move", "relabel"])


@given(
    boxes=st.lists(st.tuples(corners, change), max_size=12),
    new=st.lists(corners, max_size=4),
    names=st.booleans(),
)
def test_each_box_lands_in_exactly_one_place(boxes, new, names):
    shown = [model_box(number, bbox) for number, (bbox, _) in enumerate(boxes)]
    expected = {"keep": [], "drop": [], "edit": []}
    subjects = []
    for box, (_, what) in zip(shown, boxes, strict=True):
        sent = box.as_public()
        if what == "drop":
            expected["drop"].append(box.box_id)
            continue
        if what == "move":
            sent["bbox"] = [0, 0, 7, 7]
        if what == "relabel":
            sent["label"] = "another"
        is_edited = what == "relabel" or (what == "move" and box.bbox != (0, 0, 7, 7))
        expected["edit" if is_edited else "keep"].append(box.box_id)
        subjects.append(sent)
    subjects += [{"bbox": list(bbox)} for bbox in new]
    submitted = read(subjects, shown)
    deleted = expected["drop"] if names else None
    check_complete(shown=shown, submitted=submitted, deleted_box_ids=deleted)
    found = diff(shown=shown, submitted=submitted, deleted_box_ids=deleted)
    assert found.kept == expected["keep"]
    assert found.edited == expected["edit"]
    assert [each["box_id"] for each in found.dropped] == expected["drop"]
    assert all(each["why"] == ("deleted" if names else "omitted") for each in found.dropped)
    assert len(found.new) == len(new)
    assert [box.box_id for box in submitted if box.source == "manual"] == found.new
    for box in submitted:
        assert box.edited == (box.box_id in found.edited)


@given(boxes=st.lists(corners, max_size=8))
def test_sent_back_as_it_came_nothing_changes(boxes):
    shown = [model_box(number, bbox) for number, bbox in enumerate(boxes)]
    assert read([box.as_item() for box in shown], shown) == shown


@given(ids=st.lists(st.sampled_from([f"box_{n}" for n in range(6)]), unique=True))
def test_deleted_ids_have_to_be_exactly_what_is_missing(ids):
    shown = [model_box(number) for number in range(4)]
    submitted = shown[:2]
    if set(ids) == {"box_2", "box_3"}:
        check_complete(shown=shown, submitted=submitted, deleted_box_ids=ids)
        return
    with pytest.raises(SubjectsIncomplete) as caught:
        check_complete(shown=shown, submitted=submitted, deleted_box_ids=ids)
    assert set(caught.value.fields["missing"]) == {"box_2", "box_3"} - set(ids)
    assert set(caught.value.fields["unexpected"]) == set(ids) - {"box_2", "box_3"}


def test_a_moved_manual_box_loses_its_validity_and_a_renamed_one_keeps_it():
    valid = Box(box_id="box_1", label="cup", bbox=(0, 0, 20, 20), center=(10, 10), valid=True)
    moved, renamed = (
        read([{"box_id": "box_1", "bbox": [0, 0, 30, 20]}], [valid])[0],
        read([{"box_id": "box_1", "label": "mug"}], [valid])[0],
    )
    assert (moved.valid, moved.needs_validation, moved.center) == (None, True, (15.0, 10.0))
    assert (renamed.valid, renamed.needs_validation, renamed.label) == (True, False, "mug")


def test_a_label_cannot_be_taken_away_from_a_box_that_has_one():
    with pytest.raises(ValidationFailed) as caught:
        read([{"box_id": "box_1", "label": None}], [model_box(1)])
    assert caught.value.errors[0].field == "subjects.0.label"


def test_a_box_without_a_bbox_can_be_kept_only_with_one():
    bare = Box(box_id="box_1", label="cup", bbox=None, center=(3, 3), source=MODEL)
    with pytest.raises(ValidationFailed):
        read([{"box_id": "box_1"}], [bare])
    assert read([{"box_id": "box_1", "bbox": [0, 0, 9, 9]}], [bare])[0].edited


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_none_are_named(value):
    with pytest.raises(ValidationFailed) as caught:
        check_shape([{"bbox": [0, 0, 1, 1]}, {"bbox": [0, 0, value, 1]}])
    assert caught.value.status == 422
    assert caught.value.errors[0].field == "subjects.1.bbox"
