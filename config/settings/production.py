"""Production: refuses to start without its secrets, hosts and database."""

from config import env
from config.settings.base import *
from config.settings.base import database

DEBUG = False
SECRET_KEY = env.required("SECRET_KEY")
ALLOWED_HOSTS = env.required("ALLOWED_HOSTS").split(",")
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]
DATABASES = {"default": database(env.required("DATABASE_URL"), pooled=env.flag("DATABASE_POOL"))}
BROKER_URL = env.required("BROKER_URL")
CHANNEL_URL = env.required("CHANNEL_URL")

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT", default=True)
# Probes come over plain HTTP from inside.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
