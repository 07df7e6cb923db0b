"""The static files as browsers get them."""

from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

OWN_SCRIPTS = "js/"


def without_comments(script: str) -> str:
    """The script without indentation, empty lines and lines that only comment, a fifth of what is sent.

    For scripts of our own: in them no text goes over the end of a line, which a test holds to.
    """
    lines = (line.strip() for line in script.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


class ServedFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Compressed, under names that change with their content; scripts of our own without comments."""

    def _save(self, name: str, content: "File[Any]") -> str:
        if name.startswith(OWN_SCRIPTS) and name.endswith(".js"):
            content.seek(0)
            script = content.read()
            text = script.decode() if isinstance(script, bytes) else script
            content = ContentFile(without_comments(text).encode())
        saved: str = super()._save(name, content)
        return saved
