import { NetworkError, ProblemError } from "../../src/api/problem";
import type { Candidate, EditorSnapshot, Item, SaveReply } from "../../src/api/types";
import type { SaveBody } from "../../src/session/document";
import { type Question, same } from "../../src/session/document";

type Body = SaveBody & { lock_token?: number; client_id?: string };

export const QUESTION: Question = {
  question: "",
  selection_mode: "free",
  targets: [],
  geometries: ["bbox"],
};

/** What becomes of a request on its way. */
export type Fate = "ok" | "lost-request" | "lost-reply" | ProblemError;

/** The server's side of saving, by the contract: known request ids first, then versions, then content. */
export class FakeServer {
  items: Item[];
  candidates: Candidate[] = [];
  draftVersion: number;
  setId = "set-1";
  config: Question = QUESTION;
  configVersion = 1;
  /** Every body that arrived, in order. */
  received: Body[] = [];
  /** Bodies that the page sent, arrived or not. */
  sent: Body[] = [];
  writes = 0;
  fates: Fate[] = [];
  lockToken: number | null = null;
  /** While set, replies wait for `release()`. */
  #held: (() => void)[] | null = null;
  readonly #replies = new Map<string, { body: Body; reply: SaveReply }>();

  constructor(items: Item[] = [], version = 7) {
    this.items = items;
    this.draftVersion = version;
  }

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const go of held) go();
  }

  save = async (_taskId: string, raw: object): Promise<SaveReply> => {
    const body = structuredClone(raw) as Body;
    this.sent.push(body);
    const fate = this.fates.shift() ?? "ok";
    if (fate === "lost-request") throw new NetworkError("down");
    if (fate instanceof ProblemError) throw fate;
    const reply = this.#carryOut(body);
    if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve));
    if (fate === "lost-reply") throw new NetworkError("cut off");
    return reply;
  };

  editor = async (): Promise<EditorSnapshot> => this.snapshot();

  snapshot(): EditorSnapshot {
    return {
      config: { version: this.configVersion, labels: [], ...structuredClone(this.config) },
      candidates: { set_id: this.setId, revision: 1, items: structuredClone(this.candidates) },
      draft: { version: this.draftVersion, items: structuredClone(this.items) },
    } as unknown as EditorSnapshot;
  }

  /** Somebody else saves. */
  change(items: Item[]): void {
    this.items = items;
    this.draftVersion += 1;
  }

  /** Somebody else changes the question. */
  ask(part: Partial<Question>): void {
    this.config = { ...this.config, ...part };
    this.configVersion += 1;
  }

  /** A model or somebody else brings other candidates. */
  detect(candidates: Candidate[]): void {
    this.candidates = candidates;
    this.setId = `set-${Number(this.setId.slice(4)) + 1}`;
  }

  #carryOut(body: Body): SaveReply {
    this.received.push(body);
    const content = { ...body, client_id: undefined, lock_token: undefined };
    const known = this.#replies.get(body.request_id);
    if (known) {
      if (!same(known.body, content)) throw problem(409, "IDEMPOTENCY_CONFLICT");
      return known.reply;
    }
    if (this.lockToken !== null && body.lock_token !== this.lockToken) throw problem(409, "LOCK_LOST");
    if (body.draft && body.draft.expected_version !== this.draftVersion) {
      throw problem(409, "VERSION_CONFLICT", { snapshot: this.snapshot() });
    }
    if (body.candidates && body.candidates.expected_set_id !== this.setId) {
      throw problem(409, "VERSION_CONFLICT", { snapshot: this.snapshot() });
    }
    if (body.config && body.config.expected_version !== this.configVersion) {
      throw problem(409, "VERSION_CONFLICT", { snapshot: this.snapshot() });
    }
    if (body.config) {
      const { expected_version: _version, ...config } = body.config;
      this.ask(config);
    }
    if (body.draft) {
      this.items = structuredClone(body.draft.items);
      this.draftVersion += 1;
    }
    if (body.candidates) this.detect(structuredClone(body.candidates.items));
    this.writes += 1;
    const reply = {
      config_version: this.configVersion,
      candidate_set_id: this.setId,
      draft_version: this.draftVersion,
      saved_at: "2026-01-01T09:00:00Z",
    };
    this.#replies.set(body.request_id, { body: content, reply });
    return reply;
  }
}

export function problem(status: number, code: string, more: object = {}): ProblemError {
  return new ProblemError({ status, code, detail: code, ...more });
}

export function box(id: string, x = 10, label: string | null = "cup"): Item {
  return { id, label, geometry: { type: "bbox", bbox: [x, 10, x + 50, 60] } };
}
