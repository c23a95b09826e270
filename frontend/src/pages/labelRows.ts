/** Rows of the label table: one more, one fewer. */
export function startLabelRows(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (target.closest("[data-add-label]")) {
      const form = target.closest("form");
      const rows = form?.querySelector("[data-label-rows]");
      const template = form?.querySelector<HTMLTemplateElement>("template[data-label-template]");
      if (!rows || !template) return;
      rows.append(template.content.cloneNode(true));
      rows.lastElementChild?.querySelector<HTMLInputElement>('[name="label_name"]')?.focus();
    }
    target.closest("[data-remove-label]")?.closest("[data-label-row]")?.remove();
  });
}
