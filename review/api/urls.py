"""Addresses of the review app's api."""

from django.urls import URLPattern, URLResolver, path

from review.api import artifacts, jobs, review_queue

urlpatterns: list[URLPattern | URLResolver] = [
    path("jobs", jobs.JobsView.as_view()),
    path("jobs/<str:job_id>", jobs.JobView.as_view()),
    path("jobs/<str:job_id>/interventions", jobs.InterventionsView.as_view()),
    path("jobs/<str:job_id>/cancel", jobs.CancelView.as_view()),
    path("jobs/<str:job_id>/results", jobs.ResultsView.as_view()),
    path("jobs/<str:job_id>/pauses", jobs.PausesView.as_view()),
    path("artifacts/<str:artifact_id>", artifacts.ArtifactView.as_view()),
    path("tasks/<str:task_id>/review-claim", review_queue.ReviewClaim.as_view()),
    path("projects/<str:project_id>/next-review", review_queue.NextReview.as_view()),
]
