import { messageOf, ProblemError } from "../api/problem";
import { api, requestId } from "./api";

/** Across the reload that follows a save: which form was saved. */
const SAVED = "countersign.saved";

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * `<form data-api="PATCH /projects/…">` sends its fields as JSON and shows the answer's errors beside them.
 * A field's `data-type` is text (default), number, flag, list (commas), json or nullable. `data-with-request-id` adds
 * a `request_id`. Afterwards `data-then`: "reload" (default), or an address in which `{id}` is the answer's.
 */
export function startApiForms(): void {
  sayWhatWasSaved();
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.dataset.api) return;
    event.preventDefault();
    void send(form);
  });
  document.addEventListener("change", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>("form[data-api][data-on-change]");
    if (form) form.requestSubmit();
  });
}

/** A form that shows the same after saving as before says that it was saved. */
function noteOf(form: HTMLFormElement): HTMLElement | null {
  return form.querySelector<HTMLElement>("[data-saved-note] > *");
}

function sayWhatWasSaved(): void {
  const saved = sessionStorage.getItem(SAVED);
  sessionStorage.removeItem(SAVED);
  if (!saved) return;
  const note = [...document.querySelectorAll<HTMLFormElement>("form[data-api]")]
    .filter((form) => form.dataset.api === saved)
    .map(noteOf)[0];
  if (note) note.hidden = false;
}

async function send(form: HTMLFormElement): Promise<void> {
  const [method, path] = (form.dataset.api ?? "").split(" ") as [Method, string];
  const buttons = [...form.querySelectorAll("button")].filter((button) => !button.disabled);
  clearErrors(form);
  try {
    const body = bodyOf(form);
    if (form.dataset.withRequestId !== undefined) body.request_id = requestId();
    for (const button of buttons) button.disabled = true;
    const reply = await api<{ id?: string } | null>(method, path, { body });
    const then = form.dataset.then ?? "reload";
    if (then === "reload") {
      if (noteOf(form)) sessionStorage.setItem(SAVED, form.dataset.api ?? "");
      window.location.reload();
    } else window.location.assign(then.replace("{id}", reply?.id ?? ""));
  } catch (error) {
    showErrors(form, error);
    for (const button of buttons) button.disabled = false;
  }
}

/** The form's fields by their declared types. Raises SyntaxError for a json field that is none. */
export function bodyOf(form: HTMLFormElement): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of form.elements) {
    if (
      !(
        field instanceof HTMLInputElement ||
        field instanceof HTMLSelectElement ||
        field instanceof HTMLTextAreaElement
      )
    )
      continue;
    if (!field.name || field.name.startsWith("csrf") || field.closest("[data-label-row]")) continue;
    if (field instanceof HTMLInputElement && field.type === "radio" && !field.checked) continue;
    if (field.dataset.omitEmpty !== undefined && !field.value.trim()) continue;
    if (field.dataset.type === "member") {
      const list = (body[field.name] as string[] | undefined) ?? [];
      body[field.name] = list;
      if ((field as HTMLInputElement).checked) list.push(field.value);
      continue;
    }
    body[field.name] = readField(field);
  }
  const rows = form.querySelectorAll<HTMLElement>("[data-label-row]");
  if (form.querySelector("[data-label-rows]")) body.labels = [...rows].map(labelOf).filter((row) => row.name);
  return body;
}

function readField(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): unknown {
  switch (field.dataset.type) {
    case "number":
      return Number(field.value);
    case "flag":
      return field instanceof HTMLInputElement && field.type === "checkbox"
        ? field.checked
        : field.value === "true";
    case "list":
      return namesIn(field.value);
    case "json":
      return JSON.parse(field.value);
    case "nullable":
      return field.value || null;
    default:
      return field.value;
  }
}

function namesIn(text: string): string[] {
  return text
    .split(/[,，\n]/)
    .map((name) => name.trim())
    .filter(Boolean);
}

function labelOf(row: HTMLElement): Record<string, unknown> {
  const read = (name: string) =>
    row.querySelector<HTMLInputElement>(`[name="label_${name}"]`)?.value.trim() ?? "";
  const label: Record<string, unknown> = { name: read("name"), aliases: namesIn(read("aliases")) };
  for (const name of ["id", "color", "key"]) if (read(name)) label[name] = read(name);
  return label;
}

/** The field of the label that an error names by its place among those that were sent. */
function labelField(form: HTMLFormElement, number: number, part = "name"): Element | null {
  const rows = [...form.querySelectorAll<HTMLElement>("[data-label-row]")].filter((row) => labelOf(row).name);
  const row = rows[number];
  return row?.querySelector(`[name="label_${part}"]`) ?? row?.querySelector('[name="label_name"]') ?? null;
}

function clearErrors(form: HTMLFormElement): void {
  for (const place of form.querySelectorAll(".field-error")) place.textContent = "";
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

export function showErrors(form: HTMLFormElement, error: unknown): void {
  const unplaced: string[] = [];
  const errors = error instanceof ProblemError ? error.errors : [];
  for (const item of errors) {
    const [name = "", number, part] = item.field.split(".");
    const place = form.querySelector(`[data-error-for="${name}"]`);
    if (place) place.textContent = [place.textContent, item.message].filter(Boolean).join(" ");
    else unplaced.push(`${item.field}: ${item.message}`);
    const field =
      name === "labels" ? labelField(form, Number(number), part) : form.querySelector(`[name="${name}"]`);
    field?.setAttribute("aria-invalid", "true");
  }
  if (errors.length === 0) unplaced.push(messageOf(error));
  const general = form.querySelector("[data-form-error]");
  if (general) general.textContent = unplaced.join(" ");
  form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
}
