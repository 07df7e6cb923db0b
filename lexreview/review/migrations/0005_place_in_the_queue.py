import django.db.models.deletion
from django.db import migrations, models


def copied(name, target):
    return migrations.AddField(
        model_name='card',
        name=f'queue_{name}',
        field=models.ForeignKey(
            db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=target
        ),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('answers', '0001_initial'),
        ('questions', '0002_benchmark_masks_systems'),
        ('review', '0004_card_revision_reason'),
    ]

    operations = [
        migrations.AddField(model_name='card', name='claimed_until', field=models.DateTimeField(null=True)),
        migrations.AddField(model_name='card', name='returned_at', field=models.DateTimeField(null=True)),
        copied('benchmark', 'questions.benchmark'),
        copied('question', 'questions.question'),
        copied('system', 'answers.system'),
        copied('condition', 'answers.condition'),
        migrations.AddField(model_name='card', name='queue_code', field=models.CharField(max_length=20, null=True)),
        migrations.AddField(model_name='card', name='queue_shuffle', field=models.CharField(max_length=16, null=True)),
    ]
