"""Which handler does which node. Their modules are imported at first use: after a worker's fork."""

from __future__ import annotations

import importlib
from typing import Final, cast

from review.executor.contract import Handler, Input, NodeContext, NodeExecutionError, Report
from review.providers.contract import ProviderError

_MODULES: Final[dict[str, str]] = {
    "DETECT_SUBJECTS": "detect_subjects",
    "DETECT_REGION": "detect_region",
    "VALIDATE_MANUAL_BOX_LIST": "validate_manual_boxes",
    "PROCESS_APPROVED_BOX_LIST": "process_approved_boxes",
    "ENCODE_PICTURE": "encode_picture",
    "SEGMENT_SUBJECT": "segment_subject",
    "QUALITY_GATE_SUBJECT": "quality_gate",
    "REFINE_SUBJECT": "refine_subject",
}
_registered: dict[str, Handler] = {}


def node_types() -> frozenset[str]:
    """Every node type that `run_node` knows."""
    return frozenset(_MODULES) | frozenset(_registered)


def register_handler(node_type: str, handler: Handler | None) -> None:
    """Put a handler in front of the built-in one, or take it away again with None."""
    if handler is None:
        _registered.pop(node_type, None)
    else:
        _registered[node_type] = handler


def run_node(*, node_type: str, input: Input, context: NodeContext) -> Report:
    """Run one node and give its report.

    Raises NodeExecutionError and nothing else: UNSUPPORTED_NODE_TYPE (not retryable, and before
    anything else happens) for a type that no handler knows, waiting for a person above all.
    """
    handler = _handler_of(node_type)
    try:
        return handler(input=input, context=context)
    except NodeExecutionError:
        raise
    except ProviderError as problem:
        raise NodeExecutionError(problem.code, problem.message, problem.retryable) from problem
    except Exception as problem:
        # A library's own error (out of memory, a broken file) may pass; the retry limit ends it if not.
        raise NodeExecutionError(
            "NODE_CRASHED", f"The {node_type} node failed: {type(problem).__name__}: {problem}"[:500], True
        ) from problem


def _handler_of(node_type: str) -> Handler:
    if node_type in _registered:
        return _registered[node_type]
    module = _MODULES.get(node_type)
    if module is None:
        raise NodeExecutionError(
            "UNSUPPORTED_NODE_TYPE", f"No handler does {node_type!r}. It is not a model's work.", False
        )
    return cast(Handler, importlib.import_module(f"review.executor.{module}").handle)
