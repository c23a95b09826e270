"""Addresses of the tasks app's pages."""

from django.urls import URLPattern, URLResolver, path
from django.views.generic import TemplateView

from tasks.pages import account, audit, batches, people, projects, sessions, sign_in

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "icon.svg",
        TemplateView.as_view(template_name="icon.svg", content_type="image/svg+xml"),
        name="icon",
    ),
    path("login/", sign_in.SignIn.as_view(), name="login"),
    path("logout/", sign_in.SignOut.as_view(), name="logout"),
    path("settings/", account.account, name="account"),
    path("settings/password/", account.change_password, name="account-password"),
    path("settings/tokens/", account.make_token, name="account-tokens"),
    path("settings/tokens/<uuid:token_id>/revoke/", account.revoke_token, name="account-token-revoke"),
    path("settings/language/", account.change_language, name="account-language"),
    path("projects/", projects.projects, name="projects"),
    path("projects/new/", projects.new_project, name="project-new"),
    path("projects/<uuid:project_id>/settings/", projects.project_settings, name="project-settings"),
    path("projects/<uuid:project_id>/members/", people.members, name="project-members"),
    path("projects/<uuid:project_id>/batches/", batches.batches, name="project-batches"),
    path("projects/<uuid:project_id>/sessions/", sessions.sessions, name="project-sessions"),
    path("projects/<uuid:project_id>/audit/", audit.audit, name="project-audit"),
]
