import { type Job, TERMINAL_JOB } from "../api/types";
import { api } from "./api";
import { droppedFiles } from "./dropped";
import { element } from "./elements";
import { type Sent, sendPicture } from "./sendPicture";
import { say } from "./words";

const AT_ONCE = 3;
const LOOK_AGAIN_MS = 4000;

/**
 * `[data-upload="project id"]`: pictures dropped, pasted or chosen are sent one request each, three at a time, and a job
 * starts for each. Every file has a row: progress while it goes up, then the job's state in words, or why it was refused.
 */
export function startUploads(): void {
  for (const zone of document.querySelectorAll<HTMLElement>("[data-upload]")) new UploadZone(zone);
}

class UploadZone {
  readonly #zone: HTMLElement;
  readonly #list: HTMLElement;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #jobs = new Map<string, HTMLElement>();
  #running = 0;

  constructor(zone: HTMLElement) {
    this.#zone = zone;
    this.#list = zone.querySelector("[data-upload-list]") as HTMLElement;
    const input = zone.querySelector<HTMLInputElement>('input[type="file"]');
    input?.addEventListener("change", () => {
      this.#add([...(input.files ?? [])]);
      input.value = "";
    });
    this.#takeDrops(zone.querySelector(".drop-zone") ?? zone);
    document.addEventListener("countersign:news", () => void this.#lookAtJobs());
    window.setInterval(() => void this.#lookAtJobs(), LOOK_AGAIN_MS);
    window.addEventListener("beforeunload", (event) => {
      if (this.#running > 0) event.preventDefault();
    });
  }

  #takeDrops(target: Element): void {
    // The whole window takes the drop, so that a near miss does not open the file instead of the page.
    let depth = 0;
    const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files");
    window.addEventListener("dragenter", (event) => {
      if (isFiles(event)) target.classList.toggle("is-over", ++depth > 0);
    });
    window.addEventListener("dragleave", (event) => {
      if (isFiles(event)) target.classList.toggle("is-over", --depth > 0);
    });
    window.addEventListener("dragover", (event) => {
      if (isFiles(event)) event.preventDefault();
    });
    window.addEventListener("drop", (event) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      depth = 0;
      target.classList.remove("is-over");
      if (event.dataTransfer) void droppedFiles(event.dataTransfer).then((files) => this.#add(files));
    });
    window.addEventListener("paste", (event) => this.#add([...(event.clipboardData?.files ?? [])]));
  }

  #add(files: File[]): void {
    for (const file of files) {
      const row = new UploadRow(file);
      this.#list.prepend(row.element);
      this.#waiting.push(() => this.#send(file, row));
    }
    this.#list.hidden = this.#list.childElementCount === 0;
    this.#pump();
  }

  #pump(): void {
    while (this.#running < AT_ONCE) {
      const send = this.#waiting.shift();
      if (!send) return;
      this.#running += 1;
      void send().finally(() => {
        this.#running -= 1;
        this.#pump();
      });
    }
  }

  async #send(file: File, row: UploadRow): Promise<void> {
    const batch = this.#zone.querySelector<HTMLSelectElement>('select[name="batch"]')?.value ?? "";
    row.sending(0);
    try {
      const sent: Sent = await sendPicture({
        file,
        project: this.#zone.dataset.upload ?? "",
        batch,
        onProgress: (share) => row.sending(share),
      });
      row.accepted(sent.task_id);
      row.state(sent.status);
      this.#jobs.set(sent.job_id, row.element);
    } catch (error) {
      row.refused(error instanceof Error ? error.message : String(error));
    }
  }

  async #lookAtJobs(): Promise<void> {
    for (const [id, row] of this.#jobs) {
      const job = await api<Job>("GET", `/jobs/${id}`).catch(() => null);
      if (!job) continue;
      showState(row, job.status, job.failure?.message ?? "");
      if (TERMINAL_JOB.has(job.status) || job.status.startsWith("WAITING")) this.#jobs.delete(id);
    }
  }
}

function empty(): HTMLElement {
  return element("span", { class: "thumb h-10 w-14 shrink-0" });
}

class UploadRow {
  readonly element: HTMLElement;
  readonly #progress = element("progress", {
    class: "progress progress-primary w-full",
    max: "1",
    value: "0",
  });
  readonly #name: HTMLElement;
  readonly #link = element("a", { class: "btn btn-sm", hidden: "" }, say("open"));

  constructor(file: File) {
    const picture = element("img", { class: "thumb h-10 w-14 shrink-0", alt: "" });
    const isPicture = file.type.startsWith("image/");
    if (isPicture) {
      picture.src = URL.createObjectURL(file);
      picture.addEventListener("load", () => URL.revokeObjectURL(picture.src), { once: true });
      picture.addEventListener("error", () => picture.replaceWith(empty()), { once: true });
    }
    this.#name = element("p", { class: "truncate font-medium" }, file.name);
    this.#progress.setAttribute("aria-label", file.name);
    const middle = element("div", { class: "min-w-0 flex-1" }, this.#name, this.#progress);
    middle.append(element("p", { class: "hint", "data-upload-state": "" }, say("upload_waiting")));
    this.element = element(
      "li",
      { class: "flex items-center gap-3 py-2" },
      isPicture ? picture : empty(),
      middle,
      this.#link,
    );
  }

  sending(share: number): void {
    this.#progress.value = share;
    // All bytes are there: the server decodes and checks the picture.
    showState(this.element, share < 1 ? "upload_sending" : "upload_checking");
  }

  accepted(task: string): void {
    this.#progress.remove();
    this.#link.href = `/tasks/${task}/`;
    this.#link.hidden = false;
  }

  state(status: string): void {
    showState(this.element, status);
  }

  refused(why: string): void {
    this.#progress.remove();
    this.element.setAttribute("data-refused", "");
    showState(this.element, "upload_refused", why);
  }
}

function showState(row: HTMLElement, key: string, more = ""): void {
  const place = row.querySelector("[data-upload-state]");
  if (!place) return;
  const isBad = key === "upload_refused" || key === "FAILED";
  const isAsking = key.startsWith("WAITING");
  place.className = isBad ? "text-sm text-error" : isAsking ? "text-sm font-medium text-seal" : "hint";
  place.textContent = more ? `${say(key)}: ${more}` : say(key);
}
