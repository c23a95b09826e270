"""A job's whole path, operation by operation, with fake reports."""

import json

import pytest

from review.domain.job_states import NodeType, RunStatus
from review.models import CandidateSet, Draft, NodeRun, Pause, SubjectResult
from review.queries.job_body import job_body
from review.queries.job_results import job_results
from tasks.models import Event, OutboxMessage
from tests.support.pipeline import (
    CUP,
    TABLE,
    a_house,
    a_job,
    answer_to,
    detected,
    finalized,
    fresh,
    processed,
    queued,
    report,
    send,
    waiting,
)

pytestmark = pytest.mark.django_db


def types_of(job):
    events = Event.objects.filter(job_id=job.pk).order_by("seq")
    return [(e.type, e.payload.get("status")) if e.type == "job.status" else e.type for e in events]


def test_a_new_job_detects_at_once_and_both_statuses_are_events():
    house = a_house()
    job = a_job(house)
    assert (job.status, job.version) == ("DETECTING", 1)
    assert types_of(job) == [("job.status", "CREATED"), ("job.status", "DETECTING")]
    run = queued(job, NodeType.DETECT_SUBJECTS)
    assert fresh(job).current_node_instance_id == run.pk
    assert OutboxMessage.objects.filter(kind="run_node", payload={"run_id": str(run.pk)}).count() == 1
    job.task.refresh_from_db()
    assert (job.task.job_id, job.task.job_status) == (job.pk, "DETECTING")


def test_detection_opens_a_pause_and_starts_the_encoding_beside_it():
    house = a_house()
    job, body = waiting(house)
    assert body["status"] == "WAITING_USER_SELECTION"
    assert body["active_pause"]["base_version"] == body["version"] == 2
    assert body["pending_actions"] == ["SUBMIT_BOX_LIST", "DRAW_MANUAL_BOX"]
    assert [box["label"] for box in body["box_list"]["boxes"]] == ["cup", "table"]
    assert body["box_list"]["boxes"][0]["center"] == [35.0, 35.0]
    encoding = queued(job, NodeType.ENCODE_PICTURE)
    assert encoding.is_background
    job.task.refresh_from_db()
    assert job.task.model_confidence == 0.76
    assert str(job.task.active_candidate_set_id) == body["active_pause"]["snapshot_id"]
    assert types_of(job)[2:] == [
        "run.finished",
        "boxes.changed",
        ("job.status", "WAITING_USER_SELECTION"),
        "pause.created",
    ]


def test_the_project_s_labels_name_a_model_s_classes():
    house = a_house()
    _, body = waiting(house, CUP | {"label": "coffee cup"})
    assert body["box_list"]["boxes"][0]["label"] == "cup"


def test_kept_model_boxes_are_processed_and_the_job_succeeds():
    house = a_house()
    job, body = waiting(house)
    cup = body["box_list"]["boxes"][0]
    reply = json.loads(send(house, job, answer_to(body, [cup])).body)
    assert (reply["status"], reply["outcome"], reply["version"]) == (
        "PROCESSING_APPROVED_SUBJECTS",
        "PROCESSING",
        3,
    )
    top = queued(job, NodeType.PROCESS_APPROVED_BOX_LIST)
    assert reply["next_node_instance_id"] == str(top.pk)
    assert top.input["deleted_box_ids"] == [body["box_list"]["boxes"][1]["box_id"]]
    processed(job)
    assert fresh(job).status == "FINALIZING_RESULTS"
    assert not SubjectResult.objects.filter(job=job).exists()
    assert finalized() == 1
    done = fresh(job)
    assert done.status == "SUCCEEDED"
    items = job_results(done)["items"]
    assert [(item["box_id"], item["outcome"]) for item in items] == [(cup["box_id"], "succeeded")]
    assert items[0]["cutout_url"].startswith("/api/v1/artifacts/")
    last = Event.objects.filter(job_id=job.pk).order_by("seq").last()
    assert (last.type, last.payload["status"]) == ("job.status", "SUCCEEDED")
    assert job_body(job.pk)["last_event_id"] == last.seq == done.last_event_seq


def test_the_finished_encoding_reaches_a_segmentation_that_is_taken_later():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, body["box_list"]["boxes"]))
    report(
        queued(job, NodeType.PROCESS_APPROVED_BOX_LIST),
        {"subjects": [b["box_id"] for b in body["box_list"]["boxes"]]},
    )
    report(queued(job, NodeType.ENCODE_PICTURE), {"encoding": "artifacts/x/encoding.npz"})
    segment = queued(job, NodeType.SEGMENT_SUBJECT, box_id=body["box_list"]["boxes"][0]["box_id"])
    assert segment.input["encoding"] is None
    report(segment, {"mask": "m", "cutout": "c"})
    segment.refresh_from_db()
    assert segment.input["encoding"] == "artifacts/x/encoding.npz"


def test_an_empty_list_is_the_person_s_choice_and_dispatches_nothing():
    house = a_house()
    job, body = waiting(house)
    before = OutboxMessage.objects.count()
    reply = json.loads(send(house, job, answer_to(body, [])).body)
    assert (reply["status"], reply["outcome"], reply["next_node_instance_id"]) == (
        "EMPTY_SELECTION",
        "EMPTY_SELECTION",
        None,
    )
    assert OutboxMessage.objects.count() == before
    assert types_of(job)[-4:] == [
        "boxes.changed",
        "pause.consumed",
        "EMPTY_SELECTION_SUBMITTED",
        ("job.status", "EMPTY_SELECTION"),
    ]
    assert NodeRun.objects.get(job=job, node_type=NodeType.ENCODE_PICTURE).status == RunStatus.CANCELLED
    assert job_results(fresh(job)) == {"job_id": str(job.pk), "status": "EMPTY_SELECTION", "items": []}
    # A new job may be started.
    assert a_job(house, task=job.task).status == "DETECTING"


def test_all_skipped_boxes_go_straight_to_the_results():
    house = a_house()
    job, body = waiting(house)
    keep = [box | {"target_policy": "skip"} for box in body["box_list"]["boxes"]]
    reply = json.loads(send(house, job, answer_to(body, keep)).body)
    assert (reply["status"], reply["outcome"]) == ("FINALIZING_RESULTS", "FINALIZING")
    finalized()
    assert fresh(job).status == "SUCCEEDED"
    assert {row.outcome for row in SubjectResult.objects.filter(job=job)} == {"skipped"}


def hand_drawn(**more):
    return {"box_id": "mine-1", "label": None, "bbox": [70, 20, 110, 70]} | more


def test_a_hand_drawn_box_is_validated_named_and_processed():
    house = a_house()
    job, body = waiting(house)
    cup = body["box_list"]["boxes"][0]
    reply = json.loads(send(house, job, answer_to(body, [cup, hand_drawn()])).body)
    assert (reply["status"], reply["outcome"]) == ("VALIDATING_MANUAL_BOXES", "VALIDATING")
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    asked = run.input["items_to_validate"]
    assert len(asked) == 1
    assert asked[0]["box_id"].startswith("box_")
    assert run.input["labels"] == ["cup", "coffee cup", "spoon"]
    assert [box["box_id"] for box in run.input["reusable_valid_items"]] == [cup["box_id"]]
    report(run, {"items": [{"box_id": asked[0]["box_id"], "valid": True, "label": "spoon", "score": 0.6}]})
    now = job_body(job.pk)
    assert now["status"] == "PROCESSING_APPROVED_SUBJECTS"
    assert [box["label"] for box in now["approved_box_list"]["boxes"]] == ["cup", "spoon"]
    processed(job)
    finalized()
    assert fresh(job).status == "SUCCEEDED"


def test_a_name_that_was_found_is_in_the_projects_words():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [hand_drawn(), hand_drawn(box_id="mine-2", label="Coffee Cup")]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    ids = [asked["box_id"] for asked in run.input["items_to_validate"]]
    report(run, {"items": [{"box_id": each, "valid": True, "label": "coffee cup"} for each in ids]})
    # A person's own word stays in the job; the draft has it as the project writes it.
    assert [box["label"] for box in job_body(job.pk)["approved_box_list"]["boxes"]] == ["cup", "Coffee Cup"]
    processed(job)
    finalized()
    assert [item["label"] for item in Draft.objects.get(pk=job.task_id).items] == ["cup", "cup"]


def refused(run, box_id, code="NOT_RECOGNISED"):
    report(
        run,
        {
            "items": [
                {"box_id": box_id, "valid": False, "label": None, "score": 0.1, "code": code, "message": "?"}
            ]
        },
    )


def second_round(house, keep_cup=True):
    job, body = waiting(house)
    keep = [body["box_list"]["boxes"][0]] if keep_cup else []
    send(house, job, answer_to(body, [*keep, hand_drawn()]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    refused(run, run.input["items_to_validate"][0]["box_id"])
    return job, job_body(job.pk), body


def test_round_two_asks_about_the_problem_boxes_with_a_new_token():
    house = a_house()
    job, now, before = second_round(house)
    pause = now["active_pause"]
    assert now["status"] == pause["stage"] == "WAITING_BOX_BATCH_REVISION"
    assert pause["round"] == 2
    assert pause["pause_token"] != before["active_pause"]["pause_token"]
    assert pause["base_version"] == now["version"] == 4
    assert [problem["code"] for problem in pause["problems"]] == ["NOT_RECOGNISED"]
    assert [p.status for p in Pause.objects.filter(job=job).order_by("round")] == ["CONSUMED", "WAITING"]


def test_round_two_with_a_redrawn_box_goes_on_and_valid_boxes_are_not_validated_again():
    house = a_house()
    job, now, _ = second_round(house)
    cup, mine = now["box_list"]["boxes"]
    send(house, job, answer_to(now, [cup, mine | {"bbox": [60, 20, 120, 80]}]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    assert [box["box_id"] for box in run.input["items_to_validate"]] == [mine["box_id"]]
    report(run, {"items": [{"box_id": mine["box_id"], "valid": True, "label": "spoon", "score": 0.5}]})
    assert fresh(job).status == "PROCESSING_APPROVED_SUBJECTS"


def test_round_two_partial_goes_on_with_what_passed_and_ends_partly():
    house = a_house()
    job, now, _ = second_round(house)
    cup, mine = now["box_list"]["boxes"]
    send(house, job, answer_to(now, [cup, mine]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    refused(run, mine["box_id"])
    assert fresh(job).status == "PROCESSING_APPROVED_SUBJECTS"
    assert [box["box_id"] for box in job_body(job.pk)["approved_box_list"]["boxes"]] == [cup["box_id"]]
    processed(job)
    finalized()
    assert fresh(job).status == "PARTIAL_SUCCEEDED"
    outcomes = {
        row.box_id: (row.outcome, (row.reason or {}).get("code"))
        for row in SubjectResult.objects.filter(job=job)
    }
    assert outcomes == {cup["box_id"]: ("succeeded", None), mine["box_id"]: ("rejected", "NOT_RECOGNISED")}


def test_round_two_with_nothing_left_fails_as_all_rejected():
    house = a_house()
    job, now, _ = second_round(house, keep_cup=False)
    send(house, job, answer_to(now, now["box_list"]["boxes"]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    refused(run, now["box_list"]["boxes"][0]["box_id"])
    assert fresh(job).status == "FINALIZING_RESULTS"
    finalized()
    done = fresh(job)
    assert (done.status, done.failure["code"]) == ("FAILED", "ALL_REJECTED")


def test_round_two_with_an_empty_list_is_an_empty_selection():
    house = a_house()
    job, now, _ = second_round(house)
    send(house, job, answer_to(now, []))
    assert fresh(job).status == "EMPTY_SELECTION"


def test_a_valid_box_that_is_moved_is_validated_again():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [hand_drawn(box_id="a"), hand_drawn(box_id="b", bbox=[0, 0, 40, 40])]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    first, second = [box["box_id"] for box in run.input["items_to_validate"]]
    report(
        run,
        {
            "items": [
                {"box_id": first, "valid": True, "label": "cup"},
                {"box_id": second, "valid": False, "code": "TOO_SMALL", "message": "?"},
            ]
        },
    )
    now = job_body(job.pk)
    ours, other = now["box_list"]["boxes"]
    send(house, job, answer_to(now, [ours | {"bbox": [70, 20, 120, 70]}, other | {"bbox": [0, 0, 50, 50]}]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    assert {box["box_id"] for box in run.input["items_to_validate"]} == {first, second}


@pytest.mark.parametrize(
    ("verdicts", "status", "code"),
    [
        (("pass", "refine"), "SUCCEEDED", None),
        (("pass", "fail"), "PARTIAL_SUCCEEDED", None),
        (("error", "pass"), "PARTIAL_SUCCEEDED", None),
        (("error", "fail"), "FAILED", "ALL_SUBJECTS_FAILED"),
    ],
)
def test_subjects_fail_alone_and_the_end_says_how_many(verdicts, status, code):
    house = a_house()
    job, body = waiting(house)
    boxes = body["box_list"]["boxes"]
    send(house, job, answer_to(body, boxes))
    processed(job, verdicts=dict(zip([box["box_id"] for box in boxes], verdicts, strict=True)))
    finalized()
    done = fresh(job)
    assert (done.status, (done.failure or {}).get("code")) == (status, code)
    finished = Event.objects.filter(job_id=job.pk, type="subject.finished")
    assert finished.count() == 2


def test_no_boxes_at_all_still_asks_a_person():
    house = a_house()
    job = a_job(house)
    body = detected(job)
    assert body["status"] == "WAITING_USER_SELECTION"
    assert body["box_list"]["boxes"] == []
    send(house, job, answer_to(body, [hand_drawn(label="cup")]))
    assert fresh(job).status == "VALIDATING_MANUAL_BOXES"


def test_more_than_64_boxes_are_cut_with_a_warning():
    house = a_house()
    body = detected(a_job(house), *[CUP | {"score": i / 100} for i in range(70)])
    assert len(body["box_list"]["boxes"]) == 64
    assert body["box_list"]["boxes"][0]["score"] == 0.69
    assert [warning["code"] for warning in body["warnings"]] == ["TRUNCATED"]


def test_the_approved_boxes_become_an_untouched_draft():
    house = a_house()
    job, body = waiting(house, CUP, TABLE)
    cup = body["box_list"]["boxes"][0]
    send(house, job, answer_to(body, [cup]))
    processed(job)
    finalized()
    draft = job.task.draft
    assert [item["id"] for item in draft.items] == [cup["box_id"]]
    assert CandidateSet.objects.filter(job=job).count() == 2
