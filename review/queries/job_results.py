"""What came out of a job, box by box."""

from typing import Any

from review.models import Artifact, Job, SubjectResult


def artifact_urls(keys: list[str]) -> dict[str, str]:
    """The authorised address of each stored file, by its storage key."""
    rows = Artifact.objects.filter(key__in=[key for key in keys if key]).values_list("key", "pk")
    return {key: f"/api/v1/artifacts/{pk}" for key, pk in rows}


def job_results(job: Job) -> dict[str, Any]:
    """Page 06's results: empty until the end has been stored, and for an empty selection."""
    rows = list(SubjectResult.objects.filter(job=job).order_by("place"))
    urls = artifact_urls([key for row in rows for key in (row.cutout, row.mask)])
    return {
        "job_id": str(job.pk),
        "status": job.status,
        "items": [
            {
                "box_id": row.box_id,
                "label": row.label,
                "bbox": row.bbox,
                "outcome": row.outcome,
                "reason": row.reason,
                "cutout_url": urls.get(row.cutout),
                "mask_url": urls.get(row.mask),
                "gate": row.gate,
            }
            for row in rows
        ],
    }
