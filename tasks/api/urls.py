"""Addresses of the workflow's API, and of the OpenAPI document."""

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularAPIView

from tasks.api import schema_sign_in  # noqa: F401 - registers itself with the schema generator
from tasks.api.assets import AssetImage
from tasks.api.audit import ProjectAudit
from tasks.api.batches import Batches, HeldBatch, OneBatch, ReleasedBatch, RestoredBatch
from tasks.api.docs import api_docs
from tasks.api.locks import Heartbeat, Lock, ProjectLock, ProjectLocks
from tasks.api.members import Members, OneMember
from tasks.api.policies import OnePolicy, ProjectPolicies
from tasks.api.projects import OneProject, ProjectProgress, Projects, RestoredProject
from tasks.api.queue import NextTask
from tasks.api.task_actions import Claim, Recall, Reopen, Withdraw
from tasks.api.tasks import OneTask, ProjectTasks, RestoredTask, TaskHistory, Tasks
from tasks.api.tokens import OneToken, Tokens

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs", api_docs, name="api-docs"),
    path("projects", Projects.as_view()),
    path("projects/<str:project_id>", OneProject.as_view()),
    path("projects/<str:project_id>/restore", RestoredProject.as_view()),
    path("projects/<str:project_id>/progress", ProjectProgress.as_view()),
    path("projects/<str:project_id>/next", NextTask.as_view()),
    path("projects/<str:project_id>/members", Members.as_view()),
    path("projects/<str:project_id>/members/<str:user_id>", OneMember.as_view()),
    path("projects/<str:project_id>/batches", Batches.as_view()),
    path("projects/<str:project_id>/tasks", ProjectTasks.as_view()),
    path("projects/<str:project_id>/locks", ProjectLocks.as_view()),
    path("projects/<str:project_id>/locks/<str:task_id>", ProjectLock.as_view()),
    path("projects/<str:project_id>/policies", ProjectPolicies.as_view()),
    path("projects/<str:project_id>/policies/<str:kind>", OnePolicy.as_view()),
    path("projects/<str:project_id>/audit", ProjectAudit.as_view()),
    path("batches/<str:batch_id>", OneBatch.as_view()),
    path("batches/<str:batch_id>/hold", HeldBatch.as_view()),
    path("batches/<str:batch_id>/release", ReleasedBatch.as_view()),
    path("batches/<str:batch_id>/restore", RestoredBatch.as_view()),
    path("tasks", Tasks.as_view()),
    path("tasks/<str:task_id>", OneTask.as_view()),
    path("tasks/<str:task_id>/restore", RestoredTask.as_view()),
    path("tasks/<str:task_id>/history", TaskHistory.as_view()),
    path("tasks/<str:task_id>/claim", Claim.as_view()),
    path("tasks/<str:task_id>/withdraw", Withdraw.as_view()),
    path("tasks/<str:task_id>/recall", Recall.as_view()),
    path("tasks/<str:task_id>/reopen", Reopen.as_view()),
    path("tasks/<str:task_id>/lock", Lock.as_view()),
    path("tasks/<str:task_id>/lock/heartbeat", Heartbeat.as_view()),
    path("assets/<str:asset_id>/image", AssetImage.as_view()),
    path("tokens", Tokens.as_view()),
    path("tokens/<str:token_id>", OneToken.as_view()),
]
