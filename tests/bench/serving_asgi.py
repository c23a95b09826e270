"""Django's own ASGI handler, for comparison."""

from django.core.asgi import get_asgi_application

application = get_asgi_application()
