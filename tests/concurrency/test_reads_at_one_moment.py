"""A job or an editor read while somebody answers: all of it before the answer, or all of it after."""

import threading

import pytest
from django.db import connection

from tasks.models import Task
from tests.support.editing import Desk
from tests.support.pipeline import a_house, answer_to, send, waiting


def in_a_thread(call):
    """Run it to its end in another thread, with a connection of its own."""
    errors = []

    def run():
        try:
            call()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    assert errors == []


@pytest.mark.parametrize("path", ["jobs/{job}", "tasks/{task}/editor"])
def test_an_answer_that_commits_between_two_statements_is_not_seen_in_half(committed_db, path):
    house = a_house()
    job, body = waiting(house)
    desk = Desk(house, Task.objects.get(pk=job.task_id))
    answered = []

    def after_the_job_was_read(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if not answered and 'FROM "jobs"' in sql and 'JOIN "candidate_sets"' in sql:
            answered.append(True)
            in_a_thread(lambda: send(house, job, answer_to(body, [])))
        return result

    with connection.execute_wrapper(after_the_job_was_read):
        read = desk.call("anna", "get", path.format(job=job.pk, task="{task}")).body
    assert answered, "the job's statement was not seen"
    shown = read.get("job") or read
    assert (shown["status"], shown["version"]) == (body["status"], body["version"])
    assert shown["active_pause"] == body["active_pause"]
    assert shown["pending_actions"] == body["pending_actions"]
    assert shown["last_event_id"] == body["last_event_id"]
    after = desk.call("anna", "get", f"jobs/{job.pk}").body
    assert (after["status"], after["active_pause"]) == ("EMPTY_SELECTION", None)
