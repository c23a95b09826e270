import { messageOf } from "../api/problem";
import { api, requestId } from "./api";

/**
 * The review queue by keyboard: arrows move between cards, A approves, R sends back with a reason, Enter opens.
 * Approving here is the same act as in the workbench: claim the review, then decide on the revision that is shown.
 */
export function startReviewQueue(): void {
  const queue = document.querySelector<HTMLElement>("[data-review-queue]");
  const dialog = document.getElementById("send-back");
  if (!queue || !(dialog instanceof HTMLDialogElement)) return;
  new ReviewQueue(queue, dialog);
}

class ReviewQueue {
  readonly #queue: HTMLElement;
  readonly #dialog: HTMLDialogElement;
  readonly #client = crypto.randomUUID();
  #sendingBack: HTMLElement | null = null;

  constructor(queue: HTMLElement, dialog: HTMLDialogElement) {
    this.#queue = queue;
    this.#dialog = dialog;
    document.addEventListener("keydown", (event) => this.#key(event));
    queue.addEventListener("click", (event) => {
      const button = (event.target as Element).closest<HTMLElement>("[data-decide]");
      const card = button?.closest<HTMLElement>("[data-card]");
      if (button && card) this.#decide(card, button.dataset.decide ?? "");
    });
    queue.addEventListener("focusin", (event) => {
      const card = (event.target as Element).closest<HTMLElement>("[data-card]");
      if (card) this.#choose(card);
    });
    dialog.querySelector("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      const reason = dialog.querySelector<HTMLTextAreaElement>('[name="reason"]')?.value.trim() ?? "";
      if (this.#sendingBack && reason) void this.#sendBack(this.#sendingBack, reason);
    });
    const first = this.#cards()[0];
    if (first) this.#choose(first);
  }

  #cards(): HTMLElement[] {
    return [...this.#queue.querySelectorAll<HTMLElement>("[data-card]")];
  }

  #chosen(): HTMLElement | undefined {
    return this.#cards().find((card) => card.hasAttribute("data-chosen")) ?? this.#cards()[0];
  }

  #choose(card: HTMLElement): void {
    for (const other of this.#cards()) other.toggleAttribute("data-chosen", other === card);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#dialog.open) return;
    if ((event.target as Element).closest("input, textarea, select, [contenteditable]")) return;
    const card = this.#chosen();
    if (!card) return;
    const step = { ArrowRight: 1, ArrowDown: 1, j: 1, ArrowLeft: -1, ArrowUp: -1, k: -1 }[event.key];
    if (step !== undefined) {
      const cards = this.#cards();
      const next = cards[(cards.indexOf(card) + step + cards.length) % cards.length];
      next?.focus();
      event.preventDefault();
    } else if (event.key.toLowerCase() === "a") this.#decide(card, "approve");
    else if (event.key.toLowerCase() === "r") this.#decide(card, "reject");
    else if (event.key === "Enter" && !(event.target as Element).closest("a, button"))
      window.location.assign(`/tasks/${card.dataset.card}/`);
    else return;
    event.preventDefault();
  }

  #decide(card: HTMLElement, verdict: string): void {
    const button = card.querySelector<HTMLButtonElement>(`[data-decide="${verdict}"]`);
    if (!button || button.disabled) return;
    if (verdict === "approve") void this.#approve(card);
    else {
      this.#sendingBack = card;
      const name = this.#dialog.querySelector("[data-slot='name']");
      if (name) name.textContent = card.dataset.name ?? "";
      this.#dialog.showModal();
    }
  }

  #approve(card: HTMLElement): Promise<void> {
    return this.#asReviewer(card, (id) =>
      api("POST", `/tasks/${id}/approve`, {
        body: { request_id: requestId(), annotation_revision: Number(card.dataset.revision) },
      }),
    );
  }

  async #sendBack(card: HTMLElement, reason: string): Promise<void> {
    this.#dialog.close();
    const revision = Number(card.dataset.revision);
    await this.#asReviewer(card, (id) =>
      api("POST", `/tasks/${id}/reject`, {
        body: {
          request_id: requestId(),
          ...(revision ? { annotation_revision: revision } : {}),
          reason,
          pins: [],
        },
      }),
    );
    const field = this.#dialog.querySelector("textarea");
    if (field) field.value = "";
  }

  async #asReviewer(card: HTMLElement, act: (id: string) => Promise<unknown>): Promise<void> {
    const id = card.dataset.card ?? "";
    const buttons = card.querySelectorAll<HTMLButtonElement>("[data-decide]");
    for (const button of buttons) button.disabled = true;
    let isClaimed = false;
    try {
      await api("POST", `/tasks/${id}/review-claim`, {
        body: { client_id: this.#client, request_id: requestId() },
      });
      isClaimed = true;
      await act(id);
      this.#leave(card);
    } catch (error) {
      const place = card.querySelector("[data-card-error]");
      if (place) place.textContent = messageOf(error);
      for (const button of buttons) button.disabled = false;
      // Undecided: others must not wait for this page.
      if (isClaimed) await api("DELETE", `/tasks/${id}/lock?client_id=${this.#client}`).catch(() => null);
    }
  }

  #leave(card: HTMLElement): void {
    const cards = this.#cards();
    const next = cards[cards.indexOf(card) + 1] ?? cards[cards.indexOf(card) - 1];
    card.remove();
    const count = document.querySelector("[data-review-count]");
    if (count) count.textContent = String(Math.max(0, Number(count.textContent) - 1));
    if (next) next.focus();
    else window.location.reload();
  }
}
