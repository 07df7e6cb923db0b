import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

IN_PLACE = ['queue_code', 'queue_shuffle', 'id']


def required(name, target):
    return migrations.AlterField(
        model_name='card',
        name=f'queue_{name}',
        field=models.ForeignKey(
            db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=target
        ),
    )


def index(name, fields, **options):
    return migrations.AddIndex(model_name='card', index=models.Index(fields=fields, name=name, **options))


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('review', '0006_fill_place_in_the_queue'),
    ]

    operations = [
        required('benchmark', 'questions.benchmark'),
        required('question', 'questions.question'),
        required('system', 'answers.system'),
        required('condition', 'answers.condition'),
        migrations.AlterField(model_name='card', name='queue_code', field=models.CharField(max_length=20)),
        migrations.AlterField(model_name='card', name='queue_shuffle', field=models.CharField(max_length=16)),
        migrations.RemoveIndex(model_name='card', name='card_by_state_and_person'),
        index('card_by_person_and_state', ['assigned_to', 'state']),
        index('card_in_queue_order', ['queue_benchmark', *IN_PLACE]),
        index('card_by_state', ['queue_benchmark', 'state', *IN_PLACE]),
        index('card_by_label', ['queue_benchmark', 'label', *IN_PLACE]),
        index('card_by_system', ['queue_benchmark', 'queue_system', *IN_PLACE]),
        index('card_by_question', ['queue_question', 'queue_shuffle', 'id']),
        index('card_free', ['queue_benchmark', *IN_PLACE], condition=Q(assigned_to__isnull=True)),
        index('card_claimed', ['claimed_until'], condition=Q(claimed_until__isnull=False)),
        index('card_by_approval', ['approved_by', 'approved_at']),
        index('card_returned', ['queue_benchmark', 'returned_at'], condition=Q(returned_at__isnull=False)),
    ]
