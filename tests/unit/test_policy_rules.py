"""What declared policies make of boxes, and which terms each kind needs."""

import pytest

from review.domain.boxes import Box
from review.domain.diff import diff_by_policy
from review.domain.policy_rules import default_kept, routed
from tasks.domain.errors import ValidationFailed
from tasks.domain.policies import TERMS, UNSAID, PolicyKind, check_shape, checked_terms, version_name

ROUTING, DEFAULT, QUEUE = PolicyKind.ROUTING, PolicyKind.TIMEOUT_DEFAULT, PolicyKind.TIMEOUT_TO_QUEUE
SOUND = {
    ROUTING: {"threshold": 0.9, "calibration": "400 pictures, 1 wrong", "below": "ask"},
    DEFAULT: {"after_seconds": 3600, "answer": "keep_shown", "authorisation": "Olga, low risk"},
    QUEUE: {"after_seconds": 60, "group": "reviewers"},
}


def box(name, score=0.95, **more):
    return Box(
        box_id=name,
        label="cup",
        bbox=(0, 0, 10, 10),
        center=(5, 5),
        score=score,
        **({"source": "model"} | more),
    )


def ids(boxes):
    return None if boxes is None else [each.box_id for each in boxes]


@pytest.mark.parametrize(
    ("scores", "below", "wanted"),
    [
        ([0.95, 0.9], "ask", ["0", "1"]),
        ([0.95, 0.8999], "ask", None),
        ([0.95, None], "ask", None),
        ([], "ask", None),
        ([0.95, 0.2], "leave_out", ["0"]),
        ([0.95, None], "leave_out", ["0"]),
        ([0.2], "leave_out", None),
        ([], "leave_out", None),
    ],
)
def test_routing_needs_every_box_above_or_says_that_it_leaves_some_out(scores, below, wanted):
    boxes = [box(str(n), score) for n, score in enumerate(scores)]
    assert ids(routed(boxes, threshold=0.9, below=below, is_truncated=False)) == wanted


@pytest.mark.parametrize("below", ["ask", "leave_out"])
def test_a_detection_that_was_cut_short_is_a_persons(below):
    assert routed([box("a")], threshold=0.5, below=below, is_truncated=True) is None


def test_a_default_answer_keeps_what_was_shown_but_for_what_was_not_recognised():
    shown = [
        box("model"),
        box("passed", source="manual", valid=True),
        box("refused", source="manual", valid=False),
        box("unseen", source="manual"),
        box("skipped", source="manual", target_policy="skip"),
        box("asked", target_policy="validate", valid=False),
    ]
    assert ids(default_kept(shown, answer="keep_shown")) == ["model", "passed", "skipped"]
    assert default_kept(shown, answer="keep_none") == []


def test_what_a_policy_drops_is_stored_as_filtered():
    changes = diff_by_policy(shown=[box("a"), box("b")], kept=[box("a")])
    assert changes.as_dict() == {
        "kept": ["a"],
        "edited": [],
        "new": [],
        "dropped": [{"box_id": "b", "why": "filtered"}],
    }


@pytest.mark.parametrize("kind", PolicyKind)
def test_sound_terms_are_kept_and_the_others_are_empty(kind):
    values = {"is_on": True, **SOUND[kind]}
    check_shape(kind, values)
    assert checked_terms(kind, values) == {"is_on": True, **UNSAID, **SOUND[kind]}


@pytest.mark.parametrize(("kind", "term"), [(kind, term) for kind in PolicyKind for term in TERMS[kind]])
def test_each_term_is_needed_while_it_is_on(kind, term):
    for missing in ({}, {term: None}):
        values = {"is_on": True, **{k: v for k, v in SOUND[kind].items() if k != term}, **missing}
        with pytest.raises(ValidationFailed) as caught:
            check_shape(kind, values)
        assert caught.value.status == 400
        assert [(e.field, e.code) for e in caught.value.errors] == [(term, "required")]
        check_shape(kind, values | {"is_on": False})


@pytest.mark.parametrize("kind", PolicyKind)
def test_another_kind_s_term_is_no_term_of_it(kind):
    foreign = {name for other in PolicyKind for name in TERMS[other]} - {*TERMS[kind], "authorisation"}
    for term in foreign:
        with pytest.raises(ValidationFailed) as caught:
            check_shape(kind, {"is_on": False, term: None})
        assert [(e.field, e.code) for e in caught.value.errors] == [(term, "unknown_field")]


@pytest.mark.parametrize(("kind", "term"), [(ROUTING, "calibration"), (DEFAULT, "authorisation")])
def test_a_text_that_is_needed_says_something(kind, term):
    values = {"is_on": True, **SOUND[kind], term: " \n "}
    with pytest.raises(ValidationFailed) as caught:
        checked_terms(kind, values)
    assert (caught.value.status, [e.field for e in caught.value.errors]) == (422, [term])
    assert checked_terms(kind, values | {"is_on": False})[term] == ""


def test_a_version_is_written_with_its_kind():
    assert version_name(DEFAULT, 2) == "timeout_default@2"
