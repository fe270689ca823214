"""Settings of both ways to run Dossier: zero set-up (SQLite, one machine) and production. See docs/settings.yaml."""

from datetime import timedelta
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from platformdirs import user_data_path

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
CHECKOUT = (BASE_DIR / "manage.py").is_file()
VAR_DIR = env.folder(
    "DOSSIER_VAR", lambda: BASE_DIR / "var" if CHECKOUT else user_data_path("dossier", appauthor=False)
)

PRODUCTION = env.text("DOSSIER_ENV") == "production"
DEBUG = env.flag("DOSSIER_DEBUG", default=False)
SECRET_KEY = env.secret("DOSSIER_SECRET_KEY")
if not SECRET_KEY:
    if PRODUCTION:
        raise ImproperlyConfigured(
            "DOSSIER_SECRET_KEY (or DOSSIER_SECRET_KEY_FILE) must be set in production"
        )
    SECRET_KEY = env.local_secret(VAR_DIR / "secret-key")
ALLOWED_HOSTS = env.words(
    "DOSSIER_ALLOWED_HOSTS",
    "" if PRODUCTION else "localhost,127.0.0.1,[::1],testserver",
)
CSRF_TRUSTED_ORIGINS = env.words("DOSSIER_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "config.apps.DossierAdmin",  # workers need no pages: config/urls.py looks for them
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_filters",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "citations",
    "entities",
    "research",
]
MIDDLEWARE = [
    "config.outages.AskOnceMore",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.csp.ContentSecurityPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "research.access_log.RememberWhoActs",
    "research.sign_in.second_step.SecondStep",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "research.admin.kept.sealed",
            ],
            "builtins": ["common.program"],
        },
    },
]

DATABASES = {"default": env.database(env.secret("DATABASE_URL"), VAR_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch"), ("fr", "Français"), ("it", "Italiano")]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("DOSSIER_STATIC", str(VAR_DIR / "static")))
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise complains about a missing folder
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"  # also where a ``next`` led that is refused
AUTHENTICATION_BACKENDS = ["research.sign_in.passwords.Passwords"]
LOCKOUT_FAILURES = env.integer("DOSSIER_LOCKOUT_FAILURES", 10)  # of an account from one address; 0: never
LOCKOUT_ADDRESS_FACTOR = 3  # an address may be that of an office
LOCKOUT_ACCOUNT_FACTOR = (
    10  # an account from all addresses: strangers who know a name would shut its person out
)
LOCKOUT_TOKENS = env.integer("DOSSIER_LOCKOUT_TOKENS", 10)  # wrong ones from one address; 0: never
LOCKOUT_MINUTES = env.integer("DOSSIER_LOCKOUT_MINUTES", 15)
DOSSIER_SECOND_FACTOR = env.one_of("DOSSIER_SECOND_FACTOR", "off", "optional", "required")
DOSSIER_STEP_UP_MINUTES = env.integer("DOSSIER_STEP_UP_MINUTES", 0)
DOSSIER_OIDC_ISSUER = env.text("DOSSIER_OIDC_ISSUER")
DOSSIER_OIDC_CLIENT_ID = env.text("DOSSIER_OIDC_CLIENT_ID")
DOSSIER_OIDC_CLIENT_SECRET = env.secret("DOSSIER_OIDC_CLIENT_SECRET")
DOSSIER_OIDC_NAME = env.text("DOSSIER_OIDC_NAME", "single sign-on")
DOSSIER_OIDC_SCOPES = env.text("DOSSIER_OIDC_SCOPES", "openid profile email")
DOSSIER_OIDC_GROUPS_CLAIM = env.text("DOSSIER_OIDC_GROUPS_CLAIM", "groups")
DOSSIER_OIDC_GROUPS = env.pairs("DOSSIER_OIDC_GROUPS")
DOSSIER_OIDC_CREATE = env.flag("DOSSIER_OIDC_CREATE")
DOSSIER_OIDC_SECOND_FACTOR = env.one_of("DOSSIER_OIDC_SECOND_FACTOR", "here", "provider")
WHITENOISE_USE_FINDERS = not PRODUCTION
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # the review form has two fields a leaf
DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000_000
PROXIES = env.integer("DOSSIER_PROXIES", 1 if PRODUCTION else 0)
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")  # without a proxy anybody could say so
if PRODUCTION:
    SECURE_SSL_REDIRECT = env.flag("DOSSIER_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # a load balancer asks the process itself
    SECURE_HSTS_SECONDS = env.integer("DOSSIER_HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

DOSSIER_TRAIL_HEADS = env.text("DOSSIER_TRAIL_HEADS", str(VAR_DIR / "trail" / "heads"))
DOSSIER_TRAIL_KEY = env.text("DOSSIER_TRAIL_KEY", str(VAR_DIR / "trail" / "key"))
DOSSIER_TRAIL_SIGNER = env.text("DOSSIER_TRAIL_SIGNER")
DOSSIER_TRAIL_PUBLIC_KEY = env.text("DOSSIER_TRAIL_PUBLIC_KEY")
DOSSIER_TRAIL_FORMER_KEYS = env.words("DOSSIER_TRAIL_FORMER_KEYS")
REDIS_URL = env.secret("REDIS_URL")
QUEUE_DIR = VAR_DIR / "queue"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 0  # a message is a doorbell; see config/pool.py
CELERY_WORKER_POOL = "threads"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object]
CACHES: dict[str, dict[str, object]] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
if REDIS_URL:
    CACHES["shared"] = {  # what processes count together; nobody waits for it when it is down
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "dossier",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    CACHES["signs"] = CACHES["shared"]
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {  # a person's request does not wait for a broker that is down
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
        "socket_connect_timeout": 2,
    }
else:
    CACHES["signs"] = {  # of life, from workers and beat: where the broker is, so that all processes see them
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(VAR_DIR / "signs"),
    }
    (QUEUE_DIR / "control").mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_URL = "filesystem://localhost"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE_DIR),
        "data_folder_out": str(QUEUE_DIR),  # the same folder: one machine
        "control_folder": str(QUEUE_DIR / "control"),
        "store_processed": False,
        "polling_interval": 0.1,
    }
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "sweep-runs": {"task": "research.tasks.sweep_runs", "schedule": 30.0},
    "sweep-executions": {"task": "research.tasks.sweep_executions", "schedule": 5.0},
    "send-webhooks": {"task": "research.tasks.send_webhooks", "schedule": 5.0, "options": {"expires": 30}},
    "index-archive": {"task": "research.tasks.index_archive", "schedule": 60.0},
    "sweep-watches": {"task": "research.tasks.sweep_watches", "schedule": 300.0},
    "refresh-findings": {"task": "research.tasks.refresh_findings", "schedule": 300.0},
    "recheck-watches": {"task": "research.tasks.recheck_watches", "schedule": 3600.0},
    "sweep-citations": {"task": "citations.tasks.sweep_bulk", "schedule": 300.0},
    "forget-lockouts": {"task": "research.tasks.forget_lockouts", "schedule": 3600.0},
    "find-anomalies": {"task": "entities.tasks.find_anomalies", "schedule": 86_400.0},
    "apply-retention": {"task": "research.tasks.apply_retention", "schedule": 86_400.0},
    "seal-audit": {"task": "research.tasks.seal_audit", "schedule": 60.0},
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "research.api.signing_in.ApiToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["research.api.parsers.StrictJSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["research.api.filters.Known"],
    "DEFAULT_PAGINATION_CLASS": "research.api.pagination.NewestFirst",
    "DEFAULT_METADATA_CLASS": "research.api.metadata.Short",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "60/min", "user": "1200/min"},
    "NUM_PROXIES": PROXIES,
    "EXCEPTION_HANDLER": "research.api.problems.problem_response",
    "URL_FORMAT_OVERRIDE": None,  # ?format= is the format of a memo, not of the answer
    "PAGE_SIZE": 50,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Dossier",
    "DESCRIPTION": "Research that a person has signed for.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "RunState": "research.models.states.RunState",
        "ResultState": "research.models.states.ResultState",
        "DeliveryState": "research.models.states.DeliveryState",
        "VerbState": "research.models.states.VerbState",
        "CheckVerdict": "research.models.states.Verdict",
        "DecisionVerdict": "research.models.states.DecisionVerdict",
        "RepresentationType": "entities.models.Representation.Type",
        "RelationshipType": "entities.models.Relationship.Type",
        "ExportFormat": "entities.services.export.ExportFormat",
        "PairState": "entities.models.pairs.PairState",
        "DayPrecision": "entities.models.Precision",
        "SelectionVerdict": "entities.models.selection.SelectionVerdict",
        "SelectionChooser": "entities.models.selection.Chooser",
        "ImportedFactKind": "entities.models.selection.FactKind",
        "AnomalyKind": "entities.models.anomaly.AnomalyKind",
        "AnomalyState": "entities.models.anomaly.AnomalyState",
        "AnomalyActKind": "entities.models.anomaly.AnomalyActKind",
        "CorrectionKind": "entities.models.selection.CorrectionKind",
        "HitState": "entities.models.screening.HitState",
        "HitVerdict": "entities.models.screening.HitVerdict",
        "ScreeningState": "entities.models.screening.ScreeningRun.State",
        "MemoStyle": "research.models.memo.MemoStyle",
        "MemoFormat": "research.models.memo.MemoFormat",
        "CitationLanguage": "citations.mention.LANGUAGES",
        "CitationStyle": "citations.api.serializers.STYLES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "research.api.openapi.name_requests",
        "research.api.openapi.describe_problems",
    ],
}
TOKEN_DAYS = env.integer("DOSSIER_TOKEN_DAYS", 365)
REST_KNOX = {
    "TOKEN_TTL": timedelta(days=TOKEN_DAYS) if TOKEN_DAYS > 0 else None,
    "TOKEN_LIMIT_PER_USER": 20,
    "AUTO_REFRESH": False,
}

DOSSIER_MODEL = env.text("DOSSIER_MODEL", "register")
DOSSIER_MODEL_STREAM = env.text("DOSSIER_MODEL_STREAM", "auto")
DOSSIER_THINKING = env.text("DOSSIER_THINKING")
DOSSIER_MODEL_TIMEOUT = env.integer("DOSSIER_MODEL_TIMEOUT", 600)
DOSSIER_MODEL_TEXT_PROTOCOL = env.words("DOSSIER_MODEL_TEXT_PROTOCOL")
DOSSIER_MODEL_BACKGROUND = env.flag("DOSSIER_MODEL_BACKGROUND")
DOSSIER_SERVER_SEARCH = env.flag("DOSSIER_SERVER_SEARCH")
ANTHROPIC_API_KEY = env.secret("ANTHROPIC_API_KEY")
ANTHROPIC_BASE_URL = env.text("ANTHROPIC_BASE_URL")
ANTHROPIC_AUTH = env.text("ANTHROPIC_AUTH", "bearer")
ANTHROPIC_VERSION = env.text("ANTHROPIC_VERSION", "2026-10-21")
OPENAI_API_KEY = env.secret("OPENAI_API_KEY")
OPENAI_BASE_URL = env.text("OPENAI_BASE_URL")
OPENAI_CHAT_API_KEY = env.secret("OPENAI_CHAT_API_KEY")
OPENAI_CHAT_BASE_URL = env.text("OPENAI_CHAT_BASE_URL")
DOSSIER_FOUR_EYES = env.flag("DOSSIER_FOUR_EYES")
GLEIF_BASE_URL = env.text("GLEIF_BASE_URL")
DOSSIER_LEI_POLICY = env.words("DOSSIER_LEI_POLICY")
GLEIF_PER_MINUTE = env.integer("GLEIF_PER_MINUTE", 60)
GLEIF_CACHE_HOURS = env.integer("GLEIF_CACHE_HOURS", 8)
GOLDEN_COPY_BASE_URL = env.text("GOLDEN_COPY_BASE_URL", "https://goldencopy.gleif.org/api/v2")
GOLDEN_COPY_PROCESSES = env.integer("DOSSIER_IMPORT_PROCESSES", 0)
REGISTER_SYNC_HOURS = env.integer("DOSSIER_REGISTER_SYNC_HOURS", 0)
if REGISTER_SYNC_HOURS > 0:
    CELERY_BEAT_SCHEDULE["sync-register"] = {
        "task": "entities.tasks.sync_register",
        "schedule": REGISTER_SYNC_HOURS * 3600.0,
    }
OFAC_BASE_URL = env.text(
    "OFAC_BASE_URL", "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports"
)
UN_SANCTIONS_BASE_URL = env.text("UN_SANCTIONS_BASE_URL", "https://scsanctions.un.org")
EU_SANCTIONS_BASE_URL = env.text("EU_SANCTIONS_BASE_URL", "https://webgate.ec.europa.eu/fsd/fsf/public")
EU_SANCTIONS_TOKEN = env.secret("EU_SANCTIONS_TOKEN")
UK_SANCTIONS_BASE_URL = env.text("UK_SANCTIONS_BASE_URL", "https://sanctionslist.fcdo.gov.uk/docs")
SECO_BASE_URL = env.text("SECO_BASE_URL", "https://www.sesam.search.admin.ch/sesam-search-web")
YENTE_BASE_URL = env.text("YENTE_BASE_URL")
YENTE_DATASET = env.text("YENTE_DATASET", "sanctions")
YENTE_API_KEY = env.secret("YENTE_API_KEY")
DOSSIER_LISTS = env.words("DOSSIER_LISTS")
SCREENING_SYNC_HOURS = env.integer("DOSSIER_SCREENING_SYNC_HOURS", 0)
if SCREENING_SYNC_HOURS > 0:
    CELERY_BEAT_SCHEDULE["sync-lists"] = {
        "task": "entities.tasks.sync_lists",
        "schedule": SCREENING_SYNC_HOURS * 3600.0,
    }
DOSSIER_REGISTER = env.text("DOSSIER_REGISTER", "gleif" if PRODUCTION else "auto")
DOSSIER_URL = env.text("DOSSIER_URL", "http://127.0.0.1:8000").rstrip("/")
DOSSIER_ALERT_URL = env.secret("DOSSIER_ALERT_URL")
DOSSIER_ALERT_QUIET = env.text("DOSSIER_ALERT_QUIET")
DOSSIER_MCP_URL = env.text("DOSSIER_MCP_URL", "http://127.0.0.1:8001").rstrip("/")
DOSSIER_MCP_CALLS_PER_MINUTE = env.integer("DOSSIER_MCP_CALLS_PER_MINUTE", 120)
DOSSIER_USER_AGENT = env.text("DOSSIER_USER_AGENT", "Dossier/0.1")
DOSSIER_FETCH_ALLOW = env.words("DOSSIER_FETCH_ALLOW")
DOSSIER_FETCH_PORTS = env.words("DOSSIER_FETCH_PORTS", "80,443,8080,8443")
DOSSIER_FETCH_SECONDS = env.integer("DOSSIER_FETCH_SECONDS", 30)
DOSSIER_FETCH_MAX_BYTES = env.integer("DOSSIER_FETCH_MAX_BYTES", 10_000_000)
DOSSIER_FETCH_PER_MINUTE = env.integer("DOSSIER_FETCH_PER_MINUTE", 60)
DOSSIER_BROWSE_ENGINE = env.text("DOSSIER_BROWSE_ENGINE", "auto")
DOSSIER_BROWSER = env.text("DOSSIER_BROWSER")
DOSSIER_BROWSE_SCREENSHOTS = env.text("DOSSIER_BROWSE_SCREENSHOTS", "runs")
DOSSIER_BROWSE_FORM = env.text("DOSSIER_BROWSE_FORM", "full")
DOSSIER_BROWSE_FORMS = env.text("DOSSIER_BROWSE_FORMS", "search")
DOSSIER_BROWSE_ITEMS = env.integer("DOSSIER_BROWSE_ITEMS", 50)
DOSSIER_BROWSE_EXCERPT = env.integer("DOSSIER_BROWSE_EXCERPT", 3_000)
DOSSIER_BROWSE_INCLUDE = env.words("DOSSIER_BROWSE_INCLUDE")
DOSSIER_BROWSE_EXCLUDE = env.words(
    "DOSSIER_BROWSE_EXCLUDE", "*/login*,*/signin*,*/logout*,*/oauth*,*/checkout*"
)
DOSSIER_BROWSE_MAX_BYTES = env.integer("DOSSIER_BROWSE_MAX_BYTES", 2_000_000)
DOSSIER_BROWSE_MAX_VIEWS = env.integer("DOSSIER_BROWSE_MAX_VIEWS", 500)
DOSSIER_BROWSE_MAX_DEPTH = env.integer("DOSSIER_BROWSE_MAX_DEPTH", 5)
DOSSIER_BROWSE_IDLE_MINUTES = env.integer("DOSSIER_BROWSE_IDLE_MINUTES", 30)
DOSSIER_FETCH_CA = env.text("DOSSIER_FETCH_CA")
DOSSIER_MODEL_ATTEMPTS = env.integer("DOSSIER_MODEL_ATTEMPTS", 4)
DOSSIER_RETRY_INLINE = env.integer("DOSSIER_RETRY_INLINE", 5)
DOSSIER_PARALLEL_CALLS = env.integer("DOSSIER_PARALLEL_CALLS", 8)
DOSSIER_MAX_TOKENS = env.integer("DOSSIER_MAX_TOKENS", 8_000)
DOSSIER_HISTORY_PERCENT = env.integer("DOSSIER_HISTORY_PERCENT", 60)
DOSSIER_REPAIR_TURNS = env.integer("DOSSIER_REPAIR_TURNS", 2)
DOSSIER_RUNS_AT_ONCE = env.integer("DOSSIER_RUNS_AT_ONCE", 32)
DOSSIER_DRAIN_SECONDS = env.integer("DOSSIER_DRAIN_SECONDS", 120)
DOSSIER_LEASE_SECONDS = env.integer("DOSSIER_LEASE_SECONDS", 90)
DOSSIER_RESULT_TTL_DAYS = env.integer("DOSSIER_RESULT_TTL_DAYS", 90)
DOSSIER_REFRESH_DAYS = env.integer("DOSSIER_REFRESH_DAYS", 90)
DOSSIER_REFRESH_USD_PER_DAY = env.integer("DOSSIER_REFRESH_USD_PER_DAY", 5)
DOSSIER_KEEP_FRESH = env.words("DOSSIER_KEEP_FRESH")
DOSSIER_RETENTION = env.words("DOSSIER_RETENTION")
DOSSIER_RECHECK_DAYS = env.integer("DOSSIER_RECHECK_DAYS", 7)

DOSSIER_SEARCH = env.words("DOSSIER_SEARCH")
DOSSIER_SEARCH_SECONDS = env.integer("DOSSIER_SEARCH_SECONDS", 60)
TAVILY_BASE_URL = env.text("TAVILY_BASE_URL", "https://api.tavily.com")
TAVILY_API_KEY = env.secret("TAVILY_API_KEY")
BRAVE_BASE_URL = env.text("BRAVE_BASE_URL", "https://api.search.brave.com/res/v1")
BRAVE_SEARCH_API_KEY = env.secret("BRAVE_SEARCH_API_KEY")
GOOGLE_BASE_URL = env.text("GOOGLE_BASE_URL", "https://www.googleapis.com")
GOOGLE_API_KEY = env.secret("GOOGLE_API_KEY")
GOOGLE_CSE_ID = env.text("GOOGLE_CSE_ID")
PERPLEXITY_BASE_URL = env.text("PERPLEXITY_BASE_URL", "https://api.perplexity.ai")
PERPLEXITY_API_KEY = env.secret("PERPLEXITY_API_KEY")
SEARXNG_BASE_URL = env.text("SEARXNG_BASE_URL")
SEMANTIC_SCHOLAR_BASE_URL = env.text("SEMANTIC_SCHOLAR_BASE_URL", "https://api.semanticscholar.org/graph/v1")
SEMANTIC_SCHOLAR_API_KEY = env.secret("SEMANTIC_SCHOLAR_API_KEY")
OPENALEX_BASE_URL = env.text("OPENALEX_BASE_URL", "https://api.openalex.org")
OPENALEX_API_KEY = env.secret("OPENALEX_API_KEY")
CROSSREF_BASE_URL = env.text("CROSSREF_BASE_URL", "https://api.crossref.org")
CROSSREF_MAILTO = env.text("CROSSREF_MAILTO")

HELIUS_BASE_URL = env.text("HELIUS_BASE_URL", "https://mainnet.helius-rpc.com")
HELIUS_API_KEY = env.secret("HELIUS_API_KEY")
BIRDEYE_BASE_URL = env.text("BIRDEYE_BASE_URL", "https://public-api.birdeye.so")
BIRDEYE_API_KEY = env.secret("BIRDEYE_API_KEY")
RUGCHECK_BASE_URL = env.text("RUGCHECK_BASE_URL", "https://api.rugcheck.xyz/v1")
X_BASE_URL = env.text("X_BASE_URL", "https://api.twitter.com")
X_BEARER_TOKEN = env.secret("X_BEARER_TOKEN")
JUPITER_BASE_URL = env.text("JUPITER_BASE_URL", "https://api.jup.ag")
JUPITER_API_KEY = env.secret("JUPITER_API_KEY")
DOSSIER_REGISTERS = env.words("DOSSIER_REGISTERS")
COMPANIES_HOUSE_BASE_URL = env.text(
    "COMPANIES_HOUSE_BASE_URL", "https://api.company-information.service.gov.uk"
)
COMPANIES_HOUSE_API_KEY = env.secret("COMPANIES_HOUSE_API_KEY")
SEC_EDGAR_BASE_URL = env.text("SEC_EDGAR_BASE_URL", "https://data.sec.gov")
SEC_EDGAR_FILES_URL = env.text("SEC_EDGAR_FILES_URL", "https://www.sec.gov")
SEC_EDGAR_USER_AGENT = env.text("SEC_EDGAR_USER_AGENT")
FCA_BASE_URL = env.text("FCA_BASE_URL", "https://register.fca.org.uk/services/V0.1")
FCA_API_EMAIL = env.text("FCA_API_EMAIL")
FCA_API_KEY = env.secret("FCA_API_KEY")
FINMA_BASE_URL = env.text("FINMA_BASE_URL", "https://www.finma.ch")
ZEFIX_BASE_URL = env.text("ZEFIX_BASE_URL", "https://www.zefix.admin.ch/ZefixPublicREST/api/v1")
ZEFIX_USER = env.text("ZEFIX_USER")
ZEFIX_PASSWORD = env.secret("ZEFIX_PASSWORD")
LINDAS_BASE_URL = env.text("LINDAS_BASE_URL", "https://register.ld.admin.ch")

ENTSCHEIDSUCHE_BASE_URL = env.text("ENTSCHEIDSUCHE_BASE_URL", "https://entscheidsuche.ch")
ARXIV_BASE_URL = env.text("ARXIV_BASE_URL", "https://export.arxiv.org/api")
CITATION_FOUND_HOURS = env.integer("DOSSIER_CITATION_FOUND_HOURS", 24)
CITATION_NOT_FOUND_HOURS = env.integer("DOSSIER_CITATION_NOT_FOUND_HOURS", 1)
CITATION_LOOKUPS = env.integer("DOSSIER_CITATION_LOOKUPS", 5)
CITATION_CHECK_LOOKUPS = env.integer("DOSSIER_CITATION_CHECK_LOOKUPS", 0)
CITATIONS_PER_MINUTE = env.integer("DOSSIER_CITATIONS_PER_MINUTE", 600)
FEDLEX_BASE_URL = env.text("FEDLEX_BASE_URL", "https://fedlex.data.admin.ch")
ONLINEKOMMENTAR_BASE_URL = env.text("ONLINEKOMMENTAR_BASE_URL", "https://onlinekommentar.ch/api")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["console"],
        "level": env.text("DOSSIER_LOG_LEVEL", "WARNING"),
    },
    "loggers": {"urllib3": {"level": "INFO"}},  # below it writes addresses, and Helius wants its key in them
}
