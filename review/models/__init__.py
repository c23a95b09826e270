"""The tables of the human in the loop."""

from review.models.annotation import Annotation, Decision, Pin, ReviewerAssignment, ReviewMarkChange
from review.models.artifact import Artifact
from review.models.candidate_set import CandidateSet
from review.models.draft import Draft
from review.models.ignored_report import IgnoredReport
from review.models.intervention import Intervention
from review.models.job import Job
from review.models.node_run import NodeRun
from review.models.pause import Pause
from review.models.policy_act import PolicyAct
from review.models.prediction import Prediction, RegionResult
from review.models.subject_result import SubjectResult

__all__ = [
    "Annotation",
    "Artifact",
    "CandidateSet",
    "Decision",
    "Draft",
    "IgnoredReport",
    "Intervention",
    "Job",
    "NodeRun",
    "Pause",
    "Pin",
    "PolicyAct",
    "Prediction",
    "RegionResult",
    "ReviewMarkChange",
    "ReviewerAssignment",
    "SubjectResult",
]
