"""Signing in to the API with `Authorization: Bearer <token>`."""

import base64

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from lexreview.accounts.models import User
from lexreview.api.models import ApiToken, digest_of


class TokenAuthentication(BaseAuthentication):
    """The owner of a token that is neither revoked nor expired; a wrong token is refused, none is passed on."""

    keyword = "Bearer"

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        parts = get_authorization_header(request).decode("latin-1").split()
        if not parts or parts[0].lower() != self.keyword.lower():
            return None
        if len(parts) != 2:
            raise AuthenticationFailed("Expected: Authorization: Bearer <token>")
        return self.owner_of(parts[1])

    def owner_of(self, secret: str) -> tuple[User, ApiToken]:
        token = ApiToken.objects.select_related("user").filter(digest=digest_of(secret)).first()
        if token is None or not token.is_valid(timezone.now()) or not token.user.is_active:
            raise AuthenticationFailed("This token is unknown, expired or revoked.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return self.keyword


class PasswordTokenAuthentication(TokenAuthentication):
    """A token in the place of the password, for feed readers, which know no other way. The name is not looked at."""

    keyword = "Basic"

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        parts = get_authorization_header(request).decode("latin-1").split()
        if not parts or parts[0].lower() != self.keyword.lower():
            return None
        try:
            _name, _sign, secret = base64.b64decode(parts[1], validate=True).decode().partition(":")
        except (IndexError, ValueError):
            raise AuthenticationFailed("Expected a name and a token as its password.") from None
        return self.owner_of(secret)

    def authenticate_header(self, request: Request) -> str:
        return 'Basic realm="lexreview"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
