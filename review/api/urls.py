"""Addresses of the review app's api."""

from django.urls import URLPattern, URLResolver, path

from review.api import (
    annotating,
    annotations,
    artifacts,
    compensation,
    deciding,
    editor,
    jobs,
    review_queue,
    runs,
    suggestions,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("jobs", jobs.JobsView.as_view()),
    path("jobs/<str:job_id>", jobs.JobView.as_view()),
    path("jobs/<str:job_id>/interventions", jobs.InterventionsView.as_view()),
    path("jobs/<str:job_id>/cancel", jobs.CancelView.as_view()),
    path("jobs/<str:job_id>/compensate", compensation.CompensateView.as_view()),
    path("jobs/<str:job_id>/results", jobs.ResultsView.as_view()),
    path("jobs/<str:job_id>/pauses", jobs.PausesView.as_view()),
    path("artifacts/<str:artifact_id>", artifacts.ArtifactView.as_view()),
    path("tasks/<str:task_id>/review-claim", review_queue.ReviewClaim.as_view()),
    path("projects/<str:project_id>/next-review", review_queue.NextReview.as_view()),
    path("projects/<str:project_id>/annotations.jsonl", annotations.AnnotationLinesView.as_view()),
    path("tasks/<str:task_id>/editor", editor.EditorView.as_view()),
    path("tasks/<str:task_id>/confirm", annotating.ConfirmView.as_view()),
    path("tasks/<str:task_id>/submit", annotating.SubmitView.as_view()),
    path("tasks/<str:task_id>/mark", annotating.MarkView.as_view()),
    path("tasks/<str:task_id>/pins/<str:pin_id>/answer", annotating.AnswerPinView.as_view()),
    path("tasks/<str:task_id>/approve", deciding.ApproveView.as_view()),
    path("tasks/<str:task_id>/reject", deciding.RejectView.as_view()),
    path("tasks/<str:task_id>/annotations", annotations.AnnotationsView.as_view()),
    path("tasks/<str:task_id>/annotations/<int:revision>", annotations.AnnotationView.as_view()),
    path("tasks/<str:task_id>/runs", runs.RunsView.as_view()),
    path("runs/<str:run_id>", runs.RunView.as_view()),
    path("runs/<str:run_id>/cancel", runs.CancelRunView.as_view()),
    path("predictions/<str:prediction_id>/apply", suggestions.ApplyPredictionView.as_view()),
    path("regions/<str:region_id>", suggestions.RegionView.as_view()),
    path("regions/<str:region_id>/apply", suggestions.ApplyRegionView.as_view()),
]
