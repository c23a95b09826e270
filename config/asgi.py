"""One port for everything: streams go to ASGI applications, all else to Django's WSGI handler.

Django's ASGI handler makes a thread for each request, its WSGI handler does not; a bounded pool of threads
answers several times as many requests (docs/adr/0003-serving.md). Streams hold no thread at all.
"""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
# Before the imports below: they read models, which need the apps.
_django = get_wsgi_application()

from config.dispatcher import Dispatcher  # noqa: E402

application = Dispatcher.from_settings(_django)
