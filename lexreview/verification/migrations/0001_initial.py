import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('answers', '0001_initial'),
        ('law', '0001_acts_editions_units_rulings'),
    ]

    operations = [
        migrations.CreateModel(
            name='Verification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('layer_version', models.CharField(max_length=20)),
                ('corpus_fingerprint', models.CharField(blank=True, max_length=64)),
                ('legal_state_on', models.DateField()),
                ('verified_at', models.DateTimeField()),
                ('is_current', models.BooleanField(default=True)),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verifications', to='answers.answer')),
            ],
        ),
        migrations.CreateModel(
            name='Citation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('raw', models.TextField()),
                ('kind', models.CharField(max_length=12)),
                ('act_name', models.CharField(blank=True, max_length=200)),
                ('unit_key', models.CharField(blank=True, max_length=200)),
                ('result', models.CharField(choices=[('confirmed', 'confirmed'), ('wording_differs', 'wording differs'), ('wrong_identifier', 'wrong identifier'), ('not_found', 'not found'), ('not_in_force', 'not in force'), ('ambiguous', 'ambiguous'), ('out_of_scope', 'out of scope'), ('undetermined', 'not established')], max_length=18)),
                ('reason', models.CharField(blank=True, max_length=60)),
                ('explanation', models.TextField(blank=True)),
                ('suggestion', models.TextField(blank=True)),
                ('quotation', models.TextField(blank=True)),
                ('quotation_spans', models.JSONField(default=list)),
                ('quotation_match', models.CharField(blank=True, choices=[('exact', 'verbatim'), ('differs', 'differs'), ('other_edition', 'wording of another date'), ('other_unit', 'wording of another provision')], max_length=14)),
                ('diff', models.JSONField(default=list)),
                ('other_unit_key', models.CharField(blank=True, max_length=200)),
                ('source_text', models.TextField(blank=True)),
                ('source_url', models.CharField(blank=True, max_length=500)),
                ('source_sha256', models.CharField(blank=True, max_length=64)),
                ('certainty', models.CharField(blank=True, max_length=20)),
                ('proposed_class', models.CharField(blank=True, max_length=10)),
                ('act', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='law.act')),
                ('edition', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='law.edition')),
                ('other_edition', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='law.edition')),
                ('ruling', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='law.ruling')),
                ('verification', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='citations', to='verification.verification')),
            ],
        ),
        migrations.AddConstraint(
            model_name='verification',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('answer',), name='verification_one_current_per_answer'),
        ),
        migrations.AddConstraint(
            model_name='citation',
            constraint=models.UniqueConstraint(fields=('verification', 'number'), name='citation_number_once'),
        ),
        migrations.AddConstraint(
            model_name='citation',
            constraint=models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='citation_span_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='citation',
            constraint=models.CheckConstraint(condition=models.Q(('result__in', ['confirmed', 'wording_differs', 'wrong_identifier', 'not_found', 'not_in_force', 'ambiguous', 'out_of_scope', 'undetermined'])), name='citation_result_known'),
        ),
        migrations.AddConstraint(
            model_name='citation',
            constraint=models.CheckConstraint(condition=models.Q(('quotation_match__in', ['', 'exact', 'differs', 'other_edition', 'other_unit'])), name='citation_quotation_match_known'),
        ),
    ]
