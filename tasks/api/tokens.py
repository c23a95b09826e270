"""The caller's API tokens."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.base import ApiView, id_or_404, page_of, parsed
from tasks.api.bodies import NewToken
from tasks.api.documented import documented
from tasks.api.shapes import NewTokenShape, TokenShape, page_shape
from tasks.domain.times import iso
from tasks.models import ApiToken
from tasks.operations.api_tokens import create_token, revoke_token


class Tokens(ApiView):
    """What the caller's programs sign in with."""

    @documented("tokens_list", page_shape(TokenShape), is_page=True)
    def get(self, request: Request) -> Response:
        """Newest first, revoked ones left out."""
        tokens = ApiToken.objects.filter(user=self.user, revoked_at=None)
        return Response(page_of(tokens, request, order="-id", render=_body))

    @documented("tokens_create", NewTokenShape, body=NewToken, status=201)
    def post(self, request: Request) -> Response:
        """The token's text is in this reply and nowhere else."""
        row, text = create_token(actor=self.user, name=parsed(NewToken, request)["name"])
        return Response({**_body(row), "token": text}, status=201)


class OneToken(ApiView):
    """One token."""

    @documented("tokens_revoke", None, status=204)
    def delete(self, request: Request, token_id: str) -> Response:
        """It signs nobody in from now on."""
        revoke_token(actor=self.user, token_id=id_or_404(token_id))
        return Response(status=204)


def _body(token: ApiToken) -> dict[str, Any]:
    return {
        "id": str(token.pk),
        "name": token.name,
        "created_at": iso(token.created_at),
        "last_used_at": iso(token.last_used_at),
    }
