"""A provider of single sign-on on localhost, as OpenID Connect describes one: discovery, keys, codes, signed tokens.

What a test changes in ``lies`` is what the next token, or the description, says in place of the truth.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key

CLIENT, CLIENT_SECRET = "dossier-test", "a secret: of+the client"


@cache
def signing_key(name: str) -> RSAPrivateKey:
    return generate_private_key(65537, 2048)


class Provider:
    """``person`` are the claims of who is logged in there."""

    def __init__(self) -> None:
        self.person = {"sub": "248289761001", "preferred_username": "agatha", "groups": ["house-review"]}
        self.lies: dict[str, object] = {}
        self.described: dict[str, object] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.sent: list[tuple[str, dict[str, str], str]] = []

    def __enter__(self) -> "Provider":
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/realm"
        threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def description(self) -> dict[str, object]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            **self.described,
        }

    def keys(self) -> dict[str, object]:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(signing_key("good").public_key()))
        return {"keys": [{**public, "kid": "good", "use": "sig", "alg": "RS256"}]}

    def authorise(self, address: str) -> str:
        """What a browser does there: log in, and come back with a code. The address that it is sent back to."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?code={code}&state={asked['state']}"

    def token(self, form: dict[str, str], authorisation: str) -> tuple[int, dict[str, object]]:
        asked = self.codes.pop(form.get("code", ""), None)
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(challenge).rstrip(b"=").decode()
        if asked is None or proof != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.person,
            **self.lies,
        }
        how = {
            name: claims.pop(name, usual)
            for name, usual in (("alg", "RS256"), ("kid", "good"), ("by", "good"))
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        key = {"none": None, "HS256": "x" * 40}.get(str(how["alg"]), signing_key(str(how["by"])))
        token = jwt.encode(claims, key, str(how["alg"]), {"kid": how["kid"]})
        return 200, {"access_token": "opaque", "token_type": "Bearer", "id_token": token}

    def handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answers = {
                    "/realm/.well-known/openid-configuration": provider.description,
                    "/realm/keys": provider.keys,
                }
                found = answers.get(self.path)
                self.answer(200 if found else 404, found() if found else {})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                authorisation = self.headers.get("Authorization", "")
                provider.sent.append((self.path, form, authorisation))
                self.answer(*provider.token(form, authorisation))

            def answer(self, status: int, document: dict[str, object]) -> None:
                body = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        return Handler
