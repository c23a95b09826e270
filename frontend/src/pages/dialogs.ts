/** `data-dialog="id"` opens a dialog; `data-set-<name>="text"` fills its `[data-slot=name]` and `[name=name]`. */
export function startDialogs(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const opener = target.closest<HTMLElement>("[data-dialog]");
    if (opener) {
      const dialog = document.getElementById(opener.dataset.dialog ?? "");
      if (dialog instanceof HTMLDialogElement) open(dialog, opener);
      return;
    }
    const closer = target.closest("[data-close-dialog]");
    if (closer) closer.closest("dialog")?.close();
  });
}

function open(dialog: HTMLDialogElement, opener: HTMLElement): void {
  for (const [key, value] of Object.entries(opener.dataset)) {
    if (!key.startsWith("set") || value === undefined) continue;
    const name = key.slice(3).toLowerCase();
    for (const slot of dialog.querySelectorAll(`[data-slot="${name}"]`)) slot.textContent = value;
    const form = dialog.querySelector("form");
    if (name === "api" && form) form.dataset.api = value;
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value;
  }
  for (const message of dialog.querySelectorAll(".field-error")) message.textContent = "";
  dialog.showModal();
}
