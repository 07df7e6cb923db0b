"""The page of the model judges: how far each agrees with the approved cards."""

from collections.abc import Collection

from lexreview.core.methods.reference_card.agreement import JudgeAgreement, judge_agreement
from lexreview.judging.assisting import also_assisted, assisting_models
from lexreview.judging.models import Judge
from lexreview.reports.freezing.numbers import Json, bootstrap_json, proportion_json, rounded
from lexreview.reports.gather import Material
from lexreview.reports.records import verdict_rows

SEED = 20261002
RESAMPLES = 2000


def judges_page(material: Material) -> Json:
    """`rows`: per judge, set (None for all) and what is left out, as the core gives them."""
    rows = verdict_rows(material)
    found = judge_agreement(rows, chain=list(material.rules.values()), seed=SEED, resamples=RESAMPLES)
    sets = {question.set.code: question.set for question in material.questions}
    judges = [judge for judge in material.judges if any(each.judge_id == judge.pk for each in material.verdicts)]
    order = {judge.code: place for place, judge in enumerate(judges)}
    assisting = assisting_models(material.benchmark.slug)
    return {
        "judges": [_judge(judge, material, assisting=assisting) for judge in judges],
        "sets": [
            {"code": each.code, "titles": each.titles}
            for each in sorted(sets.values(), key=lambda row: (row.position, row.code))
        ],
        "rows": [_agreement(each, judges) for each in sorted(found, key=lambda row: order[row.judge])],
        "resampling": {"seed": SEED, "resamples": RESAMPLES},
    }


def _judge(judge: Judge, material: Material, *, assisting: Collection[str]) -> Json:
    verdicts = [each for each in material.verdicts if each.judge_id == judge.pk]
    return {
        "code": judge.code,
        "name": judge.name,
        "provider": judge.provider,
        "family": judge.family,
        "model_identifier": judge.model_identifier,
        "variant": judge.variant,
        "search": judge.search,
        "instructions_version": judge.instructions_version,
        "verdicts": len(verdicts),
        "failed": sum(each.hallucinated is None for each in verdicts),
        "assisted": also_assisted(judge, assisting),
        "kin": sorted(
            {each.answer.run.system.name for each in verdicts if judge.is_of_family_of(each.answer.run.system)}
        ),
    }


def _agreement(figure: JudgeAgreement, judges: list[Judge]) -> Json:
    table = figure.table
    return {
        "judge": figure.judge,
        "name": next(judge.name for judge in judges if judge.code == figure.judge),
        "question_set": figure.question_set,
        "left_out": figure.left_out.value,
        "n": figure.n,
        "questions": figure.questions,
        "failed_votes": figure.failed_votes,
        "without_card": figure.without_card,
        "tp": table.tp,
        "fp": table.fp,
        "fn": table.fn,
        "tn": table.tn,
        "agreement": proportion_json(figure.agreement),
        "constant_guess": rounded(figure.constant_guess),
        "kappa": {"value": rounded(figure.kappa.value), "reason": figure.kappa.reason},
        "kappa_over_questions": bootstrap_json(figure.kappa_over_questions),
    }
