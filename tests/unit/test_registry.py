"""The registry: unknown types fail at once, and every error is a NodeExecutionError."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from review.executor.contract import NodeContext, NodeExecutionError
from review.executor.registry import node_types, register_handler, run_node
from review.providers.contract import ProviderError
from tests.support.node_context import MemoryContext

EXTRA = "EXTRA_NODE"


@pytest.fixture
def context() -> MemoryContext:
    return MemoryContext(np.zeros((20, 30, 3), np.uint8))


@pytest.fixture(autouse=True)
def _registry_as_it_was() -> Iterator[None]:
    yield
    for node_type in (EXTRA, "DETECT_SUBJECTS"):
        register_handler(node_type, None)


def raising(problem: Exception) -> Any:
    def handle(*, input: dict[str, Any], context: NodeContext) -> dict[str, Any]:
        raise problem

    return handle


@pytest.mark.parametrize("node_type", ["WAIT_USER_SELECTION", "", "detect_subjects", "FINALIZE"])
def test_an_unknown_type_fails_at_once_and_for_good(node_type: str, context: MemoryContext) -> None:
    with pytest.raises(NodeExecutionError) as caught:
        run_node(node_type=node_type, input={}, context=context)
    assert (caught.value.code, caught.value.retryable) == ("UNSUPPORTED_NODE_TYPE", False)
    assert context.said == []
    assert context.artifacts == {}


def test_a_registered_handler_gets_the_input_and_goes_before_the_built_in_one(context: MemoryContext) -> None:
    def echo(*, input: dict[str, Any], context: NodeContext) -> dict[str, Any]:
        return {"got": input, "width": context.picture().shape[1]}

    for node_type in (EXTRA, "DETECT_SUBJECTS"):
        register_handler(node_type, echo)
        report = run_node(node_type=node_type, input={"a": 1}, context=context)
        assert report == {"got": {"a": 1}, "width": 30}
    register_handler(EXTRA, None)
    assert EXTRA not in node_types()
    with pytest.raises(NodeExecutionError):
        run_node(node_type=EXTRA, input={}, context=context)


def test_every_other_error_becomes_one_with_code_message_and_retryable(context: MemoryContext) -> None:
    expected = [
        (NodeExecutionError("OWN", "own", True), ("OWN", True)),
        (ProviderError("WEIGHTS_MISSING", "fetch them", retryable=False), ("WEIGHTS_MISSING", False)),
        (MemoryError("no room"), ("NODE_CRASHED", True)),
        (KeyError("x"), ("NODE_CRASHED", True)),
    ]
    for problem, outcome in expected:
        register_handler(EXTRA, raising(problem))
        with pytest.raises(NodeExecutionError) as caught:
            run_node(node_type=EXTRA, input={}, context=context)
        assert (caught.value.code, caught.value.retryable) == outcome
        assert caught.value.message


def test_processing_lists_what_is_not_skipped_in_order(context: MemoryContext) -> None:
    boxes = [
        {"box_id": "box_b", "bbox": [1, 1, 9, 9], "target_policy": "segment"},
        {"box_id": "box_s", "bbox": None, "target_policy": "skip"},
        {"box_id": "box_a", "bbox": [1, 1, 9, 9], "target_policy": "validate"},
    ]
    report = run_node(node_type="PROCESS_APPROVED_BOX_LIST", input={"box_list": boxes}, context=context)
    assert report["subjects"] == ["box_b", "box_a"]
    wrongs: list[dict[str, Any]] = [{}, {"box_list": [{}]}, {"box_list": [{"box_id": "box_c", "bbox": None}]}]
    for wrong in wrongs:
        with pytest.raises(NodeExecutionError) as caught:
            run_node(node_type="PROCESS_APPROVED_BOX_LIST", input=wrong, context=context)
        assert (caught.value.code, caught.value.retryable) == ("INVALID_INPUT", False)


def test_importing_the_registry_loads_no_model_library() -> None:
    # Their threads do not survive a worker's fork: a parent that imported them hangs its children.
    program = (
        "import sys, review.executor.registry;"
        "heavy = ('cv2', 'onnxruntime', 'ai_edge_litert', 'pymatting', 'numba');"
        "print([name for name in heavy if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
