"""The addresses of the server that runs on the data folder, for commands given by hand beside it."""

import os
from collections.abc import MutableMapping

from config import env
from config.embedded.folder import DataFolder

ADDRESSES = {"DATABASE_URL": "database_url", "BROKER_URL": "broker_url", "CHANNEL_URL": "channel_url"}


def adopt(environ: MutableMapping[str, str] = os.environ) -> None:
    """Fill in the addresses that `environ` leaves open from the running server's state file.

    Only for local settings: a production command must never meet a database that nobody named.
    """
    if environ.get("DJANGO_SETTINGS_MODULE") != "config.settings.local" or environ.get("DATABASE_URL"):
        return
    state = DataFolder(env.data_dir()).read_state()
    for variable, name in ADDRESSES.items():
        if state.get(name) and not environ.get(variable):
            environ[variable] = state[name]
