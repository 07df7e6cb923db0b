from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('answers', '0003_trigrams'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='sets',
            field=models.JSONField(default=list),
        ),
    ]
