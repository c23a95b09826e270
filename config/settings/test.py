"""What the tests run under: like local, with quick password hashing."""

from config import env
from config.settings.base import *

DEBUG = False
SECRET_KEY = "tests only; signs nothing that leaves the test run"
ALLOWED_HOSTS = ["*"]
IS_DEMO_ALLOWED = True
FAILPOINTS = env.text("FAILPOINTS")
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
AXES_ENABLED = env.flag("AXES_ENABLED")
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
