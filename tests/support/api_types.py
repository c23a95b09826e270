"""The front end's types of the API come from the OpenAPI document (page 02, rule 10).

.venv/bin/python -m tests.support.api_types writes `frontend/src/api/schema.d.ts`; script/lint finds it stale.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import django

from config.embedded import frontend_build, stamp
from config.embedded.stack import ROOT

#: A package of its own: openapi-typescript works with TypeScript 5's compiler only.
PACKAGE = ROOT / "frontend" / "api-types"
SCHEMA = ROOT / "frontend" / "src" / "api" / "schema.d.ts"
HEAD = (
    "// Written by `python -m tests.support.api_types` from the OpenAPI document. Change the API instead.\n\n"
)


def install() -> None:
    """The generator's packages, where they are not there yet. Raises CalledProcessError."""
    mark = PACKAGE / "node_modules" / ".packages"
    wanted = stamp.fingerprint([PACKAGE / "package.json", PACKAGE / "package-lock.json"])
    if stamp.is_current(mark, wanted):
        return
    _run(frontend_build.npm("ci", "--no-audit", "--no-fund", *frontend_build.PATIENCE))
    stamp.write(mark, wanted)


def schema() -> str:
    """The bodies of requests and replies as TypeScript; paths stay in `calls.ts`, where they are called."""
    install()
    with tempfile.TemporaryDirectory() as folder:
        document, written = Path(folder) / "openapi.json", Path(folder) / "schema.d.ts"
        document.write_text(json.dumps(_document()), encoding="utf-8")
        cli = PACKAGE / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
        _run([frontend_build.npm()[0], str(cli), str(document), "--output", str(written), "--alphabetize"])
        return HEAD + written.read_text(encoding="utf-8").split("*/\n", 1)[1].lstrip()


def _document() -> dict[str, object]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from drf_spectacular.generators import SchemaGenerator

    whole = SchemaGenerator().get_schema(request=None, public=True)
    return {**whole, "paths": {}, "components": {"schemas": whole["components"]["schemas"]}}


def _run(command: list[str]) -> None:
    environ = frontend_build.node_environment(os.environ) | {"NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=PACKAGE, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        done.check_returncode()


if __name__ == "__main__":
    SCHEMA.write_text(schema(), encoding="utf-8")
