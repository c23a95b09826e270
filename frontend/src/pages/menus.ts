/** `<details data-menu>` closes on Escape and on a click elsewhere. */
export function startMenus(): void {
  // On a phone the tabs scroll: the page's own one is in sight.
  document.querySelector(".tab-link[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  const closeOthers = (inside: Node | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")) {
      if (!inside || !menu.contains(inside)) menu.open = false;
    }
  };
  document.addEventListener("click", (event) => closeOthers(event.target as Node));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeOthers(null);
  });
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
    if (!button) return;
    void navigator.clipboard.writeText(button.dataset.copy ?? "").then(() => {
      button.textContent = button.dataset.copied ?? button.textContent;
    });
  });
}
