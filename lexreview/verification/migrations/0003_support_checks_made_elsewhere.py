import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('providers', '0001_calls_and_prices'),
        ('verification', '0002_support_checks'),
    ]

    operations = [
        migrations.AlterField(
            model_name='supportcheck',
            name='call',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='providers.call'),
        ),
    ]
