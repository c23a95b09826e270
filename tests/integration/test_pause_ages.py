"""How long people have been waited for, as alerts see it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from review.models import Pause
from review.queries.pause_ages import oldest_pause_ages
from tests.support.pipeline import a_house, waiting

pytestmark = pytest.mark.django_db

STAGE = "WAITING_USER_SELECTION"


def test_the_oldest_wait_counts_until_its_task_is_archived() -> None:
    house = a_house()
    (older, _), (newer, _) = waiting(house), waiting(house)
    assert oldest_pause_ages()[STAGE] < 60
    Pause.objects.filter(job=older).update(created_at=timezone.now() - timedelta(hours=2))
    assert 7200 <= oldest_pause_ages()[STAGE] < 7260
    older.task.archived_at = timezone.now()
    older.task.save(update_fields=["archived_at"])
    assert oldest_pause_ages()[STAGE] < 60
    assert Pause.objects.filter(job=newer, status="WAITING").exists()
