"""Addresses of the review app's pages."""

from django.urls import URLPattern, URLResolver, path

from review.pages import ahead, history, home, project, review_queue, task_table, workbench

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("projects/<uuid:project_id>/", project.project, name="project"),
    path("projects/<uuid:project_id>/tasks/", task_table.task_table, name="project-tasks"),
    path("projects/<uuid:project_id>/review/", review_queue.review_queue, name="project-review"),
    path("tasks/<uuid:task_id>/", workbench.workbench, name="workbench"),
    path("tasks/<uuid:task_id>/ahead/", ahead.ahead, name="workbench-ahead"),
    path("tasks/<uuid:task_id>/history/", history.history, name="task-history"),
]
