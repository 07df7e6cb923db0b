from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('questions', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='benchmark',
            name='masks_systems',
            field=models.BooleanField(default=True),
        ),
    ]
