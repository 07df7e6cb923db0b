from django.urls import path

from lexreview.review.views import adjudication, lead, rehearsal
from lexreview.review.views.gone import pages_of_cards

app_name = "rounds"

urlpatterns = [
    *pages_of_cards(
        [
            path("cards/<int:pk>/adjudication/", adjudication.adjudication, name="adjudication"),
            path("cards/<int:pk>/adjudication/begin/", adjudication.begin, name="begin_adjudication"),
            path("cards/<int:pk>/adjudication/choose/", adjudication.decide, name="choose"),
            path("cards/<int:pk>/adjudication/merge/", adjudication.merge, name="merge_again"),
            path("cards/<int:pk>/adjudication/finish/", adjudication.finish, name="finish_adjudication"),
            path("cards/<int:pk>/adjudication/reopen/", adjudication.reopen, name="reopen_adjudication"),
            path("cards/<int:pk>/return/", lead.send_back, name="return_card"),
            path("cards/<int:pk>/seat/", lead.take, name="take_seat"),
            path("cards/<int:pk>/second-review/cancel/", lead.cancel, name="cancel_second_review"),
            path("cards/<int:pk>/answer/", lead.answer_ruling, name="answer_ruling"),
            path("cards/<int:pk>/answer/give/", lead.give_answer, name="give_answer"),
        ]
    ),
    path("decisions/<slug:slug>/<int:number>/recheck/", lead.recheck, name="recheck"),
    path("decisions/<slug:slug>/<int:number>/recheck/mark/", lead.mark_recheck, name="mark_recheck"),
    path("benchmarks/<slug:slug>/second-review/", lead.second_review, name="second_review"),
    path("benchmarks/<slug:slug>/second-review/ask/", lead.ask_second_review, name="ask_second_review"),
    path("benchmarks/<slug:slug>/second-review/plan/", lead.plan, name="plan"),
    path("benchmarks/<slug:slug>/second-review/repeats/", lead.bring_back, name="bring_back"),
    path("benchmarks/<slug:slug>/agreement/", lead.agreement, name="agreement"),
    path("benchmarks/<slug:slug>/agreement/cards/", lead.agreement_cards, name="agreement_cards"),
    path("benchmarks/<slug:slug>/agreement.csv", lead.agreement_csv, name="agreement_csv"),
    path("benchmarks/<slug:slug>/quality/", lead.quality, name="quality"),
    path("benchmarks/<slug:slug>/quality/draw/", lead.draw, name="draw"),
    path("benchmarks/<slug:slug>/quality/fast/", lead.add_fast, name="add_fast"),
    path("benchmarks/<slug:slug>/rehearsal/", rehearsal.report, name="rehearsal"),
    path("benchmarks/<slug:slug>/rehearsal/give/", rehearsal.give, name="give_rehearsal"),
    path("benchmarks/<slug:slug>/rehearsal.csv", rehearsal.report_csv, name="rehearsal_csv"),
    path("benchmarks/<slug:slug>/rehearsal.json", rehearsal.report_json, name="rehearsal_json"),
    path("quality/<int:pk>/", lead.check, name="check"),
    path("quality/<int:pk>/settle/", lead.settle_check, name="settle_check"),
]
