from django.db import migrations
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Substr


def copy_from_answers(apps, schema_editor):
    """One statement: what the queue sorts by stands in the answer, its question and its run."""
    answers = apps.get_model('answers', 'Answer').objects.filter(pk=OuterRef('answer_id'))
    copied = {
        'queue_benchmark_id': 'question__benchmark_id',
        'queue_question_id': 'question_id',
        'queue_system_id': 'run__system_id',
        'queue_condition_id': 'run__condition_id',
        'queue_code': 'question__code',
    }
    apps.get_model('review', 'Card').objects.update(
        **{name: Subquery(answers.values(source)[:1]) for name, source in copied.items()},
        queue_shuffle=Subquery(answers.annotate(shuffle=Substr(F('sha256'), 1, 16)).values('shuffle')[:1]),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0005_place_in_the_queue'),
    ]

    operations = [migrations.RunPython(copy_from_answers, migrations.RunPython.noop)]
