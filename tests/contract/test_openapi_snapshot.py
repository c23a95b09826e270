"""The API's contract as one line an operation: a change of it shows in the diff, or fails here.

Written anew by `UPDATE_SNAPSHOT=1 .venv/bin/python -m pytest tests/contract/test_openapi_snapshot.py`.
"""

import os
from pathlib import Path
from typing import Any

from drf_spectacular.generators import SchemaGenerator

SNAPSHOT = Path(__file__).with_name("openapi.snapshot.txt")
METHODS = ("get", "post", "put", "patch", "delete")


def shape(schema: dict[str, Any], components: dict[str, Any], depth: int = 0) -> str:
    """A schema in short: names of fields, `?` where one may be missing, enums as written."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        target = components[name]
        return shape(target, components, depth) if depth < 3 else name
    for joined in ("allOf", "oneOf", "anyOf"):
        if joined in schema:
            return "|".join(sorted({shape(part, components, depth) for part in schema[joined]}))
    if "enum" in schema:
        return "/".join(sorted(str(value) for value in schema["enum"]))
    if schema.get("type") == "array":
        return f"[{shape(schema.get('items', {}), components, depth)}]"
    if "properties" in schema:
        required = set(schema.get("required", []))
        fields = [
            f"{name}{'' if name in required else '?'}: {shape(field, components, depth + 1)}"
            for name, field in sorted(schema["properties"].items())
        ]
        return "{" + ", ".join(fields) + "}"
    kind = str(schema.get("format") or schema.get("type") or "any")
    return kind + (" or null" if schema.get("nullable") else "")


def content(part: dict[str, Any], components: dict[str, Any]) -> str:
    """The body of a request or a reply, by media type."""
    found = part.get("content", {})
    return " ".join(
        "problem"
        if kind == "application/problem+json"
        else f"{kind} {shape(found[kind]['schema'], components)}"
        for kind in sorted(found)
    )


def contract() -> str:
    """Every operation of the OpenAPI document."""
    document = SchemaGenerator().get_schema(request=None, public=True)
    components = document["components"]["schemas"]
    lines = []
    for path, item in sorted(document["paths"].items()):
        for method in METHODS:
            if method not in item:
                continue
            operation = item[method]
            query = sorted(p["name"] for p in operation.get("parameters", []) if p["in"] == "query")
            lines.append(f"{method.upper()} {path}" + (f"?{'&'.join(query)}" if query else ""))
            if "requestBody" in operation:
                lines.append(f"    takes {content(operation['requestBody'], components)}")
            for status, answer in sorted(operation["responses"].items()):
                lines.append(f"    {status} {content(answer, components)}".rstrip())
    return "\n".join(lines) + "\n"


def test_the_contract_is_as_it_was() -> None:
    found = contract()
    if os.environ.get("UPDATE_SNAPSHOT"):
        SNAPSHOT.write_text(found)
    assert found == SNAPSHOT.read_text(), "the API changed: look at the diff, then write the snapshot anew"
