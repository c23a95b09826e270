"""Loading: after the fork, once in a process, with few threads.

onnxruntime, litert and OpenCV keep thread pools of their own, which do not survive a fork.
So nothing here is imported or loaded before a worker's child asks for its first model.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    import onnxruntime

THREADS: Final = 2
"""Per model: workers are scaled by processes, and more threads than cores only fight."""

Loaded = TypeVar("Loaded")


class Lazily(Generic[Loaded]):
    """Something loaded at the first call and kept; two threads that ask at once load it once."""

    def __init__(self, load: Callable[[], Loaded]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._held: list[Loaded] = []

    def __call__(self) -> Loaded:
        with self._lock:
            if not self._held:
                self._held.append(self._load())
            return self._held[0]


def onnx_session(path: Path) -> onnxruntime.InferenceSession:
    """An ONNX model on the CPU."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Idle worker threads would otherwise spin and take the cores from the next model.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def litert_interpreter(path: Path) -> Any:
    """A TensorFlow Lite model on the CPU, with its tensors allocated."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(path), num_threads=THREADS)
    interpreter.allocate_tensors()
    return interpreter
