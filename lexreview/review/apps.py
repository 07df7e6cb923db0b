from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "lexreview.review"
    label = "review"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from lexreview.review.model_prefill_job import register_model_prefill
        from lexreview.review.prefill_job import register_prefill
        from lexreview.review.recompute_job import register_recompute

        register_prefill()
        register_model_prefill()
        register_recompute()
