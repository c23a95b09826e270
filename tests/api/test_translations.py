"""The Chinese catalogue is complete, and its compiled form is that of its source."""

import gettext
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from config.env import ROOT
from tasks.templatetags.words import reason_words
from tests.support.pipeline import a_house
from tests.support.workflow import call, held_by, task_in

FOLDER = Path(settings.LOCALE_PATHS[0]) / "zh_Hans" / "LC_MESSAGES"
QUOTED = re.compile(r'^"(.*)"$', re.MULTILINE)


def entries() -> dict[str, str]:
    """Singular message → translation, from the source."""
    found = {}
    for block in (FOLDER / "django.po").read_text(encoding="utf-8").split("\n\n")[1:]:
        message, _, translation = block.partition("\nmsgstr")
        singular = message.split('msgid "', 1)[1].split("\nmsgid_plural", 1)[0]
        text = "".join(QUOTED.findall('"' + singular)).replace('\\"', '"').replace("\\n", "\n")
        translated = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', translation))
        found[text] = translated.replace('\\"', '"').replace("\\n", "\n")
    return found


def test_every_message_has_a_translation():
    assert [message for message, translation in entries().items() if not translation] == []


def test_every_string_of_the_templates_is_in_the_catalogue():
    known = entries()
    pattern = re.compile(r'\{% translate "([^"]+)"')
    missing = {
        text
        for path in (ROOT / "templates").rglob("*.html")
        for text in pattern.findall(path.read_text(encoding="utf-8"))
        if text not in known
    }
    assert missing == set(), "run manage.py makemessages -l zh_Hans, translate, then compilemessages"


def test_the_compiled_catalogue_is_that_of_its_source():
    with (FOLDER / "django.mo").open("rb") as compiled:
        catalogue = gettext.GNUTranslations(compiled)
    for message, translation in entries().items():
        assert translation in {catalogue.gettext(message), catalogue.ngettext(message, "", 1)}, message


def test_placeholders_are_the_same():
    pattern = re.compile(r"%\(\w+\)[sd]|\{\w+\}|%%")
    for message, translation in entries().items():
        # A singular may do without its number ("sent back once"); a translation may not lose one.
        assert set(pattern.findall(message)) <= set(pattern.findall(translation)), message


@pytest.mark.django_db
def test_a_page_in_chinese():
    client = Client()
    client.force_login(a_house().anna)
    client.cookies["django_language"] = "zh-hans"
    html = client.get("/settings/").content.decode()
    assert 'lang="zh-hans"' in html
    assert "API 令牌" in html
    assert "API tokens" not in html
    assert "没有这个页面" in client.get("/no/such/page/").content.decode()


@pytest.mark.django_db
def test_reasons_of_the_system_are_said_in_the_readers_language():
    house = a_house()
    path = f"projects/{house.project.pk}/members/{house.anna.pk}"
    held_by(task_in(house.inbox), house.anna)
    assert call(house.olga, "patch", path, {"role": "viewer"}).status == 200
    client = Client()
    client.force_login(house.olga)
    client.cookies["django_language"] = "zh-hans"
    html = client.get(f"/projects/{house.project.pk}/audit/").content.decode()
    assert "角色已更改：观察者" in html
    assert "role changed" not in html
    assert reason_words("typed: by a person") == "typed: by a person"
