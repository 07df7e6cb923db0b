"""What is asked of a model and what comes back, as plain values: nothing here knows rows or the client's own types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

JsonDict = dict[str, Any]


class Outcome(StrEnum):
    """What became of one call; rows keep it as their state. `PASSING` may be tried again; `PAUSING` (quota, key,
    unknown model) meets every call to that account or model alike; `REJECTED` concerns this request alone.
    """

    ANSWERED = "answered"
    EMPTY = "empty"
    BLOCKED = "blocked"
    PASSING = "passing"
    PAUSING = "pausing"
    REJECTED = "rejected"


@dataclass(frozen=True, kw_only=True)
class CallRequest:
    """One question to one model.

    `provider`: a key of the setting PROVIDERS. `settings`: see `settings_of`; unknown names are refused before the
    call. `search`: the provider's own web search is on offer to the model. `output`: the answer must be JSON of this
    model and nothing else. `marker`: that of the prompt's fence, which differs from call to call (see Fence).
    """

    provider: str
    model: str
    prompt: str
    instructions: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    search: bool = False
    output: type[BaseModel] | None = None
    marker: str = ""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back. `usage`: tokens by kind, `cached`, `cache_written` and `cache_written_1h` included in `input`,
    `reasoning` in `output`; empty when the provider reported none. `trace`: the steps of the provider's web search,
    as answers keep them. `raw`: bodies of the HTTP responses, keys blanked out. `reason`: the provider's, for a
    blocked call, ours for a failed one; `obstacle`: what kind of thing that is, see InTheWay. `retry_after`: seconds
    the provider asks to wait.
    """

    outcome: Outcome
    started_at: datetime
    finished_at: datetime
    latency_ms: int
    text: str = ""
    output: BaseModel | None = None
    reason: str = ""
    obstacle: str = ""
    stop_reason: str = ""
    served_model: str = ""
    trace: list[JsonDict] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    http_status: int | None = None
    retry_after: float | None = None
    raw: bytes = b""

    @property
    def has_text(self) -> bool:
        return self.outcome == Outcome.ANSWERED
