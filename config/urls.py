"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from config.health import healthz, metrics, readyz

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("api/v1/", include("tasks.api.urls")),
    path("api/v1/", include("review.api.urls")),
    path("admin/", admin.site.urls),
    path("", include("tasks.pages.urls")),
    path("", include("review.pages.urls")),
]

handler400 = "config.problems.bad_request"
handler404 = "config.problems.not_found"
handler500 = "config.problems.server_error"
