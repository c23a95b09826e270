"""What somebody new sees first: the week on the own page, and the form for a project."""

from datetime import date

import pytest
from django.test import Client
from django.utils.translation import override

from review.pages.home import chart
from tasks.models.project import GEOMETRIES
from tasks.queries.my_work import Day
from tests.support.pipeline import a_house

pytestmark = pytest.mark.django_db


def test_the_days_of_the_week_differ_in_each_language():
    bars = chart([Day(day=date(2026, 11, 30 - n), count=0) for n in range(7)])
    with override("en"):
        assert len({bar.weekday for bar in bars}) == 7
    with override("zh-hans"):
        assert {bar.weekday for bar in bars} == set("一二三四五六日")


def test_a_new_project_asks_for_its_name_alone():
    client = Client()
    client.force_login(a_house().anna)
    html = client.get("/projects/new/").content.decode()
    for kind in GEOMETRIES:
        assert f'name="geometries" value="{kind}" data-type="member" checked' in html
