"""The test settings with three views instead of the site: the real middleware, nothing else."""

from config.settings.test import *  # noqa: F403

ROOT_URLCONF = "tests.bench.serving_views"
