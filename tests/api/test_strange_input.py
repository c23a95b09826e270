"""Every endpoint of the OpenAPI document, with input that a generator thinks of: never a fault of ours."""

from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings

from tasks.operations.api_tokens import create_token
from tests.support.one_of_each import one_of_each

EXAMPLES = 5


def faults_of(operation: Any, known: dict[str, Any], token: str) -> list[str]:
    """What the operation answers with a 500, over generated requests with real ids in the path."""
    found: list[str] = []

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def send(case: Any) -> None:
        for name in case.path_parameters or {}:
            # Real ids, or every answer would be "there is no such thing".
            case.path_parameters[name] = known.get(name, case.path_parameters[name])
        answer = case.call(headers={"Authorization": f"Token {token}"})
        if answer.status_code >= 500:
            found.append(f"{operation.label} {case.query} {case.body!r}: {answer.status_code}")

    send()
    return found[:1]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_input_is_a_fault(committed_db: str) -> None:
    known = one_of_each()
    _, token = create_token(actor=known["owner"], name="strange input")
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema?format=json", get_wsgi_application())
    results: list[Any] = list(schema.get_all_operations())
    operations = [result.ok() for result in results]
    assert len(operations) > 60
    faults = [fault for operation in operations for fault in faults_of(operation, known, token)]
    assert not faults, "\n".join(faults)
