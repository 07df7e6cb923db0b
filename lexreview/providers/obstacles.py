"""What can stand in the way of a call, or of the use of its answer."""

from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from lexreview.jobs.obstacles import register_obstacle


class InTheWay(StrEnum):
    """Codes of the kinds; what each says and advises stands in `WORDS`."""

    TIME_OUT = "time_out"
    TOO_FAST = "too_fast"
    PACED = "paced"
    SERVER = "server"
    CONNECTION = "connection"
    NOT_READABLE = "not_readable"
    BROKEN_OFF = "broken_off"
    NOT_STRUCTURED = "not_structured"
    CUT_SHORT = "cut_short"
    BLOCKED = "blocked"
    RECITATION = "recitation"
    NO_TEXT = "no_text"
    QUOTA = "quota"
    KEY = "key"
    FORBIDDEN = "forbidden"
    UNKNOWN_MODEL = "unknown_model"
    NOT_SET_UP = "not_set_up"
    BAD_SETTING = "bad_setting"
    REJECTED = "rejected"
    BUDGET = "budget"
    BUDGET_WAIT = "budget_wait"
    TWIN = "twin"
    LOST = "lost"


_BY_ITSELF = _("Nothing to do: it goes on by itself.")
_REFUSED = _("A refused question is a result and is counted as one. A judge or a model that pre-fills can be replaced.")

WORDS = {
    InTheWay.TIME_OUT: (
        _("No answer in time"),
        _("Retry. If it happens often, raise the setting timeout of the system or judge, or PROVIDER_TIMEOUT."),
    ),
    InTheWay.TOO_FAST: (
        _("Too many requests for the account"),
        _("Retry later, or set PROVIDER_LIMITS to what the account allows."),
    ),
    InTheWay.PACED: (
        _("Waiting for the rate limit of the account"),
        _("Nothing to do: it goes on by itself. PROVIDER_LIMITS and refusals for going too fast set the pace."),
    ),
    InTheWay.SERVER: (
        _("The provider's server failed"),
        _("Retry later; the provider's status page may say more."),
    ),
    InTheWay.CONNECTION: (
        _("The connection failed or broke off"),
        _("See that the worker's machine reaches the provider, then retry. What broke off may have been charged."),
    ),
    InTheWay.NOT_READABLE: (
        _("The response is not what this provider sends"),
        _(
            "The item's page has the response as it came. Often something else answers in the provider's place: a "
            "proxy, or a wrong address in OPENAI_BASE_URL and the like. Correct it, then retry."
        ),
    ),
    InTheWay.BROKEN_OFF: (_("The provider broke the answer off"), _("Retry.")),
    InTheWay.NOT_STRUCTURED: (
        _("The reply is not in the form that was asked for"),
        _("Retry, or take a model that keeps to a form."),
    ),
    InTheWay.CUT_SHORT: (
        _("The answer ended at its limit of tokens"),
        _("Raise the setting max_tokens of the system or judge; an answer that is stored already stays as it is."),
    ),
    InTheWay.BLOCKED: (_("The model or its provider refused"), _REFUSED),
    InTheWay.RECITATION: (_("Held back by the provider: it repeats a protected text"), _REFUSED),
    InTheWay.NO_TEXT: (
        _("The reply has no text"),
        _("An empty answer is a result and is counted as one. Otherwise retry."),
    ),
    InTheWay.QUOTA: (
        _("The account's credit or quota is used up"),
        _("Top the account up, or wait until the quota is renewed; then resume the job."),
    ),
    InTheWay.KEY: (
        _("The provider does not accept the key"),
        _("Set the right key (OPENAI_API_KEY and the like), start the worker again, then resume the job."),
    ),
    InTheWay.FORBIDDEN: (
        _("The account may not use this"),
        _("Have the provider open the model to the account, or use the key of another; then resume the job."),
    ),
    InTheWay.UNKNOWN_MODEL: (
        _("The provider does not know the model"),
        _("Correct the model identifier of the system or judge, then resume the job."),
    ),
    InTheWay.NOT_SET_UP: (
        _("The provider is not set up"),
        _("Set the variable that is named, start the worker again, then resume the job."),
    ),
    InTheWay.BAD_SETTING: (
        _("A setting does not suit the call"),
        _("Correct the settings of the system or judge, then resume the job."),
    ),
    InTheWay.REJECTED: (
        _("The provider refused the request as it is"),
        _("Its words say why: often a question that is too long, or a setting. Correct that, then retry."),
    ),
    InTheWay.BUDGET: (
        _("The budget is used up"),
        _("What is done stays done. Start the same again with a larger budget: only what is left is asked."),
    ),
    InTheWay.BUDGET_WAIT: (_("Waiting for calls at work: they may use the budget up"), _BY_ITSELF),
    InTheWay.TWIN: (_("The same is being asked at the moment"), _BY_ITSELF),
    InTheWay.LOST: (
        _("The worker ended while the call was under way"),
        _("The provider may have charged for it, so the cost is a lower bound. The item is asked again."),
    ),
}


def register_obstacles() -> None:
    for code, (what, remedy) in WORDS.items():
        register_obstacle(code=code, what=what, remedy=remedy)
