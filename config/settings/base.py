"""Settings that every process shares; local, test and production add what differs."""

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import env

BASE_DIR: Path = env.ROOT
DATA_DIR: Path = env.data_dir()

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "django_vite",
    "django_htmx",
    "axes",
    "csp",
    "locks",
    "tasks",
    "review",
]

MIDDLEWARE = [
    "config.body_limit.BodyLimit",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
AUTH_USER_MODEL = "tasks.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Each HTTP thread holds a connection only while it works, so the pool is as large as the thread
# pool of config/asgi.py, plus the hub's own readers. Persistent connections leak under ASGI: CONN_MAX_AGE 0.
HTTP_THREADS = env.number("HTTP_THREADS", 16)
HUB_THREADS = 4


def database(url: str, *, pooled: bool) -> dict[str, Any]:
    """Django's description of the database at `url`; `pooled` for web processes only."""
    described: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=0, conn_health_checks=pooled))
    # A network that swallows packets says nothing: without these a thread would wait for hours.
    options: dict[str, Any] = {
        "connect_timeout": 5,
        "tcp_user_timeout": 20_000,
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        # The third time a connection sends a statement, the server keeps its plan: planning is a third of the
        # work of a short transaction. A PgBouncer before 1.21 knows no prepared statements: 0 turns it off.
        "server_side_binding": True,
        "prepare_threshold": env.number("DATABASE_PREPARE_AFTER", 2) or None,
        **described.get("OPTIONS", {}),
    }
    if pooled:
        # An attempt to reconnect backs off to minutes: given up early, the next request begins a fresh one,
        # so that the database is found again within seconds of its return.
        options["pool"] = {
            "min_size": 2,
            "max_size": HTTP_THREADS + HUB_THREADS,
            "timeout": 5,
            "reconnect_timeout": 4,
        }
    described["OPTIONS"] = options
    return described


DATABASES: dict[str, dict[str, Any]] = {
    "default": database(
        env.text("DATABASE_URL", "postgres://countersign@127.0.0.1:5432/countersign"),
        pooled=env.flag("DATABASE_POOL"),
    )
}

BROKER_URL = env.text("BROKER_URL", "redis://127.0.0.1:6379/0")
CHANNEL_URL = env.text("CHANNEL_URL", "redis://127.0.0.1:6379/1")
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [CHANNEL_URL], "prefix": "countersign"},
    }
}

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"

# Sign-in throttling counts failures only, per person and address together.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_LOCKOUT_CALLABLE = "tasks.pages.sign_in.locked_out"
AXES_CLIENT_IP_CALLABLE = "tasks.pages.sign_in.caller_address"
AXES_USERNAME_CALLABLE = "tasks.pages.sign_in.tried_name"

REST_FRAMEWORK = {
    # The token class comes first: with sessions first an anonymous call would get 403 instead of 401.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tasks.api.authentication.TokenAuthentication",
        "tasks.api.authentication.PageSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tasks.api.parsers.BodyParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.problems.problem_response",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Countersign",
    "DESCRIPTION": "The model proposes, a person countersigns.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "TaskStatus": "tasks.api.shapes.TASK_STATUSES",
        "BatchStatus": "tasks.api.shapes.BATCH_STATUSES",
        "Mark": "tasks.api.shapes.MARKS",
        "Role": "tasks.api.shapes.ROLES",
        "MemberRole": "tasks.api.shapes.MEMBER_ROLES",
        "JobStatus": "review.api.job_serializers.JOB_STATUSES",
        "PauseStatus": "review.api.job_serializers.PAUSE_STATUSES",
        "PolicyKind": "tasks.api.policies.POLICY_KINDS",
        "BelowThreshold": "tasks.api.policies.BELOW",
        "DefaultAnswer": "tasks.api.policies.DEFAULT_ANSWERS",
        "AskedGroup": "tasks.api.policies.GROUPS",
    },
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.exists() else []
DJANGO_VITE = {"default": {"dev_mode": False, "manifest_path": FRONTEND_DIST / "manifest.json"}}
MEDIA_ROOT = DATA_DIR / "media"
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# One picture at most 64 MiB; larger request bodies are refused before they are read.
UPLOAD_MAX_BYTES = 64 * 1024 * 1024
UPLOAD_MAX_PIXELS = 100_000_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

# Konva and React write styles through the CSSOM, which a strict policy allows; nothing inline is served.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "blob:", "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF, "blob:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.problems.csrf_failure"

DEMO_PASSWORD = env.text("DEMO_PASSWORD", "countersign-demo")
IS_DEMO_ALLOWED = False

MODELS_DIR = Path(env.text("COUNTERSIGN_MODELS_DIR", str(DATA_DIR / "models")))
PICTURES_DIR = Path(env.text("COUNTERSIGN_PICTURES_DIR", str(DATA_DIR / "pictures")))

# A run is taken for this long and renewed while it works; a worker that died is noticed after it.
RUN_LEASE_SECONDS = env.number("RUN_LEASE_SECONDS", 60)
RUN_MAX_ATTEMPTS = env.number("RUN_MAX_ATTEMPTS", 5)
# Load the models when a worker starts, and not with its first run.
WARM_MODELS = env.flag("WARM_MODELS", default=True)
RELAY_IDLE_SECONDS = 0.5
SWEEP_SECONDS = env.number("SWEEP_SECONDS", 10)
# Of Prometheus; without one only this machine may read /metrics.
METRICS_TOKEN = env.text("METRICS_TOKEN")
HUB_SWEEP_SECONDS = env.number("HUB_SWEEP_SECONDS", 10)
EVENT_RETENTION_DAYS = 90
# A folder for tests that kill processes at named moments; read by local and test settings only.
FAILPOINTS = ""

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
}
