from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0015_cards_of_a_person'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='cardrevision',
            name='approved_as',
            field=models.CharField(blank=True, choices=[('', '–'), ('unchanged', 'unchanged'), ('with_changes', 'with changes')], max_length=12),
        ),
        migrations.AddField(
            model_name='finding',
            name='proposed_as',
            field=models.JSONField(null=True),
        ),
        migrations.AddConstraint(
            model_name='cardrevision',
            constraint=models.CheckConstraint(condition=models.Q(('approved_as__in', ['', 'unchanged', 'with_changes'])), name='card_revision_approved_as_known'),
        ),
    ]
