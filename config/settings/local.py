"""One machine, embedded servers, demo accounts: what `script/server` uses."""

import secrets

from config import env
from config.settings.base import *

DEBUG = False
ALLOWED_HOSTS = env.text("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
IS_DEMO_ALLOWED = True
FAILPOINTS = env.text("FAILPOINTS")


def local_secret_key() -> str:
    """A key of this machine's own, made once and kept in the data folder, readable by its owner only."""
    path = DATA_DIR / "secret_key"
    if not path.exists():
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()


SECRET_KEY = env.text("SECRET_KEY") or local_secret_key()
