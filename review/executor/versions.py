"""What a report says about who made it."""

from __future__ import annotations

from typing import Any, Final

ADAPTER_VERSION: Final = "1"
"""Goes up when an embedded model is fed or read differently: older results are then another model's."""
CODE_VERSION: Final = "1"
"""Goes up when a handler's rules change."""


def made_by(model: str) -> dict[str, Any]:
    """The report's fields `provider`, `model`, `adapter_version` and `code_version`."""
    return {
        "provider": "local",
        "model": model,
        "adapter_version": ADAPTER_VERSION,
        "code_version": CODE_VERSION,
    }
