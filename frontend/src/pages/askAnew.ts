import { bodyOf } from "./apiForm";

/** What of a project's settings its tasks ask for: the labels' names and the kinds of shapes. */
export function questionIn(body: Record<string, unknown>): string {
  const labels = (body.labels as { name: string }[] | undefined) ?? [];
  const kinds = (body.geometries as string[] | undefined) ?? [];
  return JSON.stringify([labels.map(({ name }) => name).sort(), [...kinds].sort()]);
}

/** `<form data-asks-anew="dialog">`: before it changes what the project's tasks ask, the dialog says what that means. */
export function startAskAnew(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-asks-anew]");
  const dialog = document.getElementById(form?.dataset.asksAnew ?? "");
  if (!form || !(dialog instanceof HTMLDialogElement)) return;
  const before = questionIn(bodyOf(form));
  let agreed = false;
  document.addEventListener(
    "submit",
    (event) => {
      if (event.target !== form || agreed || questionIn(bodyOf(form)) === before) return;
      event.preventDefault();
      // Before the form's own sending hears of it.
      event.stopImmediatePropagation();
      dialog.showModal();
    },
    { capture: true },
  );
  dialog.querySelector("[data-ask-anew]")?.addEventListener("click", () => {
    agreed = true;
    dialog.close();
    form.requestSubmit();
    agreed = false;
  });
}
