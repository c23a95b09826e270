"""A person who has no mouse."""

import re
from typing import Any

#: What a screen reader would call the focused element.
FOCUSED = """() => {
  const on = document.activeElement;
  const name = on?.getAttribute("aria-label") || on?.labels?.[0]?.innerText || on?.innerText || "";
  return name.trim().replaceAll(/\\s+/g, " ");
}"""
MOST_STOPS = 80


class Hands:
    """Keys on one page; nothing here touches the mouse."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, *keys: str, times: int = 1) -> None:
        """These keys, one after the other."""
        for _ in range(times):
            for key in keys:
                self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        """Into what has the focus."""
        self.page.keyboard.type(text)

    def tab_to(self, name: str, *, back: bool = False) -> None:
        """Tab on until the element of that name (a key may follow it) has the focus; AssertionError where Tab
        never reaches it."""
        wanted = re.compile(rf"{name}( \S)?")
        seen: list[str] = []
        for _ in range(MOST_STOPS):
            self.press("Shift+Tab" if back else "Tab")
            seen.append(self.page.evaluate(FOCUSED))
            if wanted.fullmatch(seen[-1]):
                return
        raise AssertionError(f"Tab does not reach {name!r}; it goes {seen}")

    def push(self, name: str, *, back: bool = False) -> None:
        """Tab to the button or link of that name and press it."""
        self.tab_to(name, back=back)
        self.press("Enter")

    def to_picture(self) -> None:
        """Tab to the picture, where the letters are commands."""
        self.tab_to("Picture .*", back=True)

    def item(self, text: str) -> Any:
        """The list's row of that label."""
        return self.page.get_by_role("option").filter(has_text=text)

    def choose(self, text: str) -> None:
        """Walk to that row of the list."""
        count = self.page.get_by_role("option").count()
        for _ in range(count + 1):
            self.press("j")
            if self.page.get_by_role("option", selected=True).filter(has_text=text).count():
                return
        raise AssertionError(f"J does not reach {text!r} in {count} rows")
