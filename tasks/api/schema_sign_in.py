"""How the OpenAPI document says that one signs in."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class TokenScheme(OpenApiAuthenticationExtension):
    """`Authorization: Token …`."""

    target_class = "tasks.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A header with a word before the token."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token <token>`; made on the settings page or by POST /tokens.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    """The browser's session."""

    target_class = "tasks.api.authentication.PageSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A cookie; writes send the header X-CSRFToken too."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The sign-in form's session. Writes need the header X-CSRFToken.",
        }
