"""Settings. Every environment variable is read here once; `.env.example` lists them all (a test compares)."""

from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.utils.translation import gettext_lazy as _

from lexreview.environment import (
    read_amount,
    read_bool,
    read_database,
    read_int,
    read_limits,
    read_list,
    read_log_level,
    read_path,
    read_text,
    read_time_zone,
)
from lexreview.start_up import made_folder, writable_folder

BASE_DIR = Path(__file__).resolve().parent.parent
DEBUG = read_bool("DEBUG")
VAR_DIR = read_path("LEXREVIEW_VAR", BASE_DIR / "var")
MAY_BE_WRITTEN = "Set LEXREVIEW_VAR to a folder that this account may write."
made_folder(VAR_DIR, remedy=MAY_BE_WRITTEN)
SHARED_DATA = read_path("LEXREVIEW_SHARED", BASE_DIR.parent / "shared")


def _secret_key() -> str:
    """The key from the environment, else one made at random for this installation and kept in `var/` (mode 600)."""
    if key := read_text("SECRET_KEY"):
        return key
    path = VAR_DIR / "secret_key"
    if not path.exists():
        writable_folder(VAR_DIR, remedy=f"Set SECRET_KEY, or: {MAY_BE_WRITTEN}")
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    if key := path.read_text().strip():
        return key
    raise ImproperlyConfigured(f"SECRET_KEY is not set and {path} is empty; delete the file or set SECRET_KEY")


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = read_list("CSRF_TRUSTED_ORIGINS")
HTTPS = read_bool("HTTPS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "lexreview.ledger",
    "lexreview.accounts",
    "lexreview.jobs",
    "lexreview.providers",
    "lexreview.methodology",
    "lexreview.law",
    "lexreview.questions",
    "lexreview.answers",
    "lexreview.verification",
    "lexreview.review",
    "lexreview.judging",
    "lexreview.reports",
    "lexreview.public",
    "lexreview.api",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "lexreview.accounts.middleware.TextCompressionMiddleware",
    "lexreview.accounts.middleware.OwnReplyMiddleware",
    "lexreview.accounts.middleware.AddressMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "lexreview.accounts.middleware.SignInMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "csp.middleware.CSPMiddleware",
]

ROOT_URLCONF = "lexreview.urls"
WSGI_APPLICATION = "lexreview.wsgi.application"
ASGI_APPLICATION = "lexreview.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": read_database("DATABASE_URL", VAR_DIR / "lexreview.sqlite3")}
ATOMIC_REQUESTS = False

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "lexreview.accounts.backends.PersonBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "lexreview.accounts.adapter.ClosedAccountAdapter"
ACCOUNT_FORMS = {"login": "lexreview.accounts.sign_in_form.SignInForm"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = None
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
if not read_text("EMAIL_HOST"):
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
EMAIL_HOST = read_text("EMAIL_HOST", "localhost")
EMAIL_PORT = read_int("EMAIL_PORT", 25)
DEFAULT_FROM_EMAIL = read_text("DEFAULT_FROM_EMAIL", "lexreview@localhost")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("pl", _("Polish")), ("de", _("German")), ("fr", _("French")), ("it", _("Italian"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["lexreview.formats"]
TIME_ZONE = read_time_zone("TIME_ZONE", "UTC")
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "lexreview.served_files.ServedFilesStorage"},
}
MEDIA_ROOT = VAR_DIR / "media"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_ENGINE = "lexreview.accounts.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "lexreview.accounts.middleware.token_refused"
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
if read_bool("BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# provider:model that is asked whether a source supports a claim. Empty: nobody is asked.
SUPPORT_MODEL = read_text("SUPPORT_MODEL")
# Hours without activity after which a card that a reviewer took may go to the next one.
REVIEW_CLAIM_HOURS = read_int("REVIEW_CLAIM_HOURS", 12)

DEMO_SERVE = read_bool("DEMO_SERVE", default=True)

CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "lexreview.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "lexreview.api.pages.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "lexreview",
    "DESCRIPTION": "Read access to benchmarks, questions, answers, reference cards and the decision log.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "lexreview.api.pages.with_errors"],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "ENUM_NAME_OVERRIDES": {
        "KeyState": "lexreview.api.serializers.KEY_STATES",
        "AnswerState": "lexreview.api.serializers.ANSWER_STATES",
        "CardState": "lexreview.api.serializers.CARD_STATES",
        "DecisionState": "lexreview.api.serializers.DECISION_STATES",
    },
}

BROKER_URL = read_text("BROKER_URL")
EMBEDDED_WORKER = not BROKER_URL
CELERY_BROKER_URL = BROKER_URL or "filesystem://localhost//"
CELERY_BROKER_FOLDER = VAR_DIR / "broker"
if EMBEDDED_WORKER:
    for folder in ("queue", "control"):
        writable_folder(
            CELERY_BROKER_FOLDER / folder, remedy=f"{MAY_BE_WRITTEN} Or set BROKER_URL: then nothing is kept there."
        )
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(CELERY_BROKER_FOLDER / "queue"),
        "data_folder_out": str(CELERY_BROKER_FOLDER / "queue"),
        "control_folder": str(CELERY_BROKER_FOLDER / "control"),
        "store_processed": False,
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "lexreview"
CELERY_TASK_TIME_LIMIT = 3600
CELERY_TASK_SOFT_TIME_LIMIT = 3300
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = TIME_ZONE

# Keys of model providers live in the environment only: nothing stores, logs or shows them.
PROVIDERS = {
    "openai": {"api_key": read_text("OPENAI_API_KEY"), "base_url": read_text("OPENAI_BASE_URL")},
    "anthropic": {"api_key": read_text("ANTHROPIC_API_KEY"), "base_url": read_text("ANTHROPIC_BASE_URL")},
    "google": {"api_key": read_text("GOOGLE_API_KEY"), "base_url": read_text("GOOGLE_BASE_URL")},
    "local": {"api_key": read_text("LOCAL_API_KEY"), "base_url": read_text("LOCAL_BASE_URL")},
}
PROVIDER_LIMITS = read_limits("PROVIDER_LIMITS")
PROVIDER_CONCURRENCY = read_int("PROVIDER_CONCURRENCY", 8)
PROVIDER_TIMEOUT = read_int("PROVIDER_TIMEOUT", 600)
PROVIDER_TRIES = read_int("PROVIDER_TRIES", 6)
PREFILL_MODEL = read_text("PREFILL_MODEL")
COLLECT_CONFIRM_USD = read_amount("COLLECT_CONFIRM_USD", "10")

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": read_log_level("LOG_LEVEL", "WARNING")},
}
