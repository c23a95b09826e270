import type { Api } from "../api/calls";
import { messageOf, NetworkError, type ProblemError } from "../api/problem";
import type { EditorSnapshot, InterventionReply, Item, Job, Lock, Task } from "../api/types";
import type { Clock } from "../clock";
import type { Config } from "../config";
import { itemOfShape, shapesOf } from "../draft/itemShapes";
import { Editor } from "../editor/editor";
import { ShapeDocument } from "../editor/editorDoc";
import type { MessageKey, Params, Translate } from "../i18n";
import { Observable } from "../observable";
import { type PanelStorage, PausePanel } from "../panel/pausePanel";
import { baseOf, same } from "../session/document";
import { EditorSession } from "../session/editorSession";
import { LockKeeper } from "../session/lockKeeper";
import { type RecoveryStore, signatureOf } from "../session/recovery";
import { initialPage, type Notice, type PageState } from "./pageState";
import { type Situation, whyReadOnly } from "./permissions";

export interface PageDeps {
  config: Config;
  api: Api;
  clock: Clock;
  random: () => number;
  newId: () => string;
  store: RecoveryStore;
  panelStorage: PanelStorage;
  tabId: string;
  clientId: string;
  t: Translate;
  beatBySocket: (clientId: string) => boolean;
}

/** Actions that release the lock on the server. */
const GIVES_BACK = new Set(["submit", "withdraw", "approve", "reject"]);

/** The workbench as one object: the editor, the session, the lock and the panel, and how they hang together. */
export class WorkbenchPage {
  readonly state: Observable<PageState>;
  readonly editor: Editor;
  readonly session: EditorSession;
  readonly lock: LockKeeper;
  readonly panel: PausePanel;
  readonly draft: ShapeDocument;
  readonly deps: PageDeps;
  /** Ids of actions whose reply was lost: pressing again is the same request. */
  readonly #requestIds = new Map<string, string>();
  #claiming: Promise<void> | null = null;
  #notices = 0;
  #confirmedShown: boolean;

  constructor(deps: PageDeps, snapshot: EditorSnapshot, job: Job | null) {
    this.deps = deps;
    const { config, api, clock, random, newId } = deps;
    this.state = new Observable(initialPage(config, snapshot, job));
    const { asset } = snapshot.task;
    this.editor = new Editor({ picture: { width: asset.width, height: asset.height }, newId });
    this.#confirmedShown = snapshot.is_confirmed;
    const base = baseOf(snapshot);
    this.draft = new ShapeDocument("draft", shapesOf(base.document, snapshot.is_confirmed));
    this.lock = new LockKeeper({
      taskId: config.taskId,
      userId: String(config.user.id),
      clientId: deps.clientId,
      acquire: api.acquireLock,
      heartbeat: api.heartbeat,
      release: api.releaseLock,
      beatBySocket: deps.beatBySocket,
      clock,
      random,
      onHeld: (_lock, regained) => void this.#held(regained),
      onLost: () => void this.session.lockLost(),
      isGivingBack: () => GIVES_BACK.has(this.state.get().busy ?? ""),
    });
    this.session = new EditorSession({
      taskId: config.taskId,
      tabId: deps.tabId,
      signature: signatureOf(snapshot.task),
      base,
      save: async (id, body) => {
        await this.ensureClaimed();
        return api.save(id, { ...body, ...this.credentials() });
      },
      fetchEditor: api.editor,
      store: deps.store,
      clock,
      random,
      newId,
      credentials: () => ({}),
      onReplaced: (document) => this.draft.store.replace(shapesOf(document, this.#confirmedShown), "remote"),
      onLockLost: (error) => this.heldByOther(error),
      onSignedOut: () => this.state.patch({ signedOut: true }),
    });
    this.panel = new PausePanel({
      intervene: (id, body) => api.intervene(id, { ...body, ...this.credentials() }),
      newId,
      clock,
      random,
      storage: deps.panelStorage,
      onDocument: (doc) => this.editor.open(doc ?? this.draft),
      onAnswered: (reply) => void this.answered(reply).catch((error) => this.failed(error)),
      onSnapshot: (fresh) => this.showJob(fresh),
      onEditsLeft: () => this.say("warn", "notice.editsLeft"),
      onLockHeld: (error) => this.heldByOther(error),
    });
    this.editor.open(this.draft);
    this.draft.store.listen((_changes, origin) => {
      if (origin !== "remote") this.#edited();
    });
    const refresh = () => this.#refreshEditable();
    for (const source of [this.state, this.lock.state, this.session.state, this.panel.state, this.editor.doc])
      source.subscribe(refresh);
    refresh();
  }

  get taskId(): string {
    return this.deps.config.taskId;
  }

  credentials(): { client_id: string; lock_token?: number } {
    const token = this.lock.token;
    return { client_id: this.lock.clientId, ...(token === undefined ? {} : { lock_token: token }) };
  }

  situation(): Situation {
    return {
      page: this.state.get(),
      lock: this.lock.state.get(),
      session: this.session.state.get(),
      panelOpen: this.panel.state.get() !== null && this.editor.doc.get().name === "panel",
      itemCount: this.draft.store.all().length,
    };
  }

  /** Takes the lock where the task is the person's own work, loads the recovery copy, shows a waiting pause. */
  async start(): Promise<void> {
    const { task, editor, me, job, role } = this.state.get();
    this.lock.observe(editor.lock);
    const mine = String(task.assignee?.id ?? "") === String(me.id) && role !== "viewer";
    if ((task.status === "in_progress" && mine) || this.#holdsReview(editor.lock)) {
      await this.lock.acquire().catch(() => undefined);
    }
    await this.session.start();
    if (job) this.panel.show(job);
    const copies = await this.session.otherCopies();
    if (copies.length) this.state.patch({ dialog: "recovery" });
  }

  /** The first edit of a pending task claims it; looking does not. */
  ensureClaimed(): Promise<void> {
    if (this.lock.isHeld || this.state.get().task.status !== "pending") return Promise.resolve();
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = null;
    });
    return this.#claiming;
  }

  async #claim(): Promise<void> {
    await this.once("claim", async (requestId) => {
      const reply = await this.deps.api.claim(this.taskId, this.lock.clientId, requestId);
      this.setTask(reply.task);
      this.lock.hold(reply.lock);
    });
  }

  /** Runs `action` with a request id that survives a lost reply: pressed again, it is the same request. */
  async once<T>(name: string, action: (requestId: string) => Promise<T>): Promise<T> {
    const id = this.#requestIds.get(name) ?? this.deps.newId();
    this.#requestIds.set(name, id);
    try {
      const result = await action(id);
      this.#requestIds.delete(name);
      return result;
    } catch (error) {
      if (!(error instanceof NetworkError)) this.#requestIds.delete(name);
      throw error;
    }
  }

  /** An action behind a button: one at a time, its failure told in words. True when it went through. */
  async perform(name: string, action: (requestId: string) => Promise<void>): Promise<boolean> {
    if (this.state.get().busy) return false;
    this.state.patch({ busy: name });
    try {
      await this.once(name, action);
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    } finally {
      this.state.patch({ busy: null });
    }
  }

  failed(error: unknown): void {
    const problem = error as Partial<ProblemError>;
    if (problem.code === "LOCK_HELD" || problem.code === "LOCK_LOST") this.heldByOther(error as ProblemError);
    const snapshot = problem.body?.snapshot as Partial<Task> | undefined;
    if (snapshot?.asset && snapshot.status) this.setTask(snapshot as Task);
    // The fields' own words are for people; the whole repeats them with technical names.
    const fields = (problem.body?.errors ?? []).map((field) => field.message).filter(Boolean);
    this.notice("error", fields.length ? [...new Set(fields)].slice(0, 3).join(" ") : messageOf(error));
    this.#selectNamed(problem.body?.errors ?? []);
  }

  /** A refusal that names an item (`items.3.label`) selects it. */
  #selectNamed(errors: readonly { field: string }[]): void {
    const numbers = errors
      .map(({ field }) => /items[.[](\d+)/.exec(field)?.[1])
      .filter((n) => n !== undefined);
    const ids = numbers
      .map((number) => this.draft.store.all()[Number(number)]?.id)
      .filter((id) => id !== undefined);
    if (!ids.length || this.editor.doc.get() !== this.draft) return;
    this.state.patch({ tab: "items" });
    this.editor.select(ids);
  }

  heldByOther(error: ProblemError): void {
    const { holder, acquired_at, heartbeat_at, stale_at, expire_at } = error.body;
    if (!holder || String(holder.id) === String(this.state.get().me.id)) return;
    const lock = {
      task_id: this.taskId,
      user: holder,
      acquired_at,
      heartbeat_at,
      stale_at,
      expire_at,
    } as Lock;
    this.lock.changed(lock);
  }

  say(tone: Notice["tone"], key: MessageKey, params?: Params): void {
    this.notice(tone, this.deps.t(key, params));
  }

  notice(tone: Notice["tone"], text: string): void {
    this.#notices += 1;
    const id = this.#notices;
    const notices = [...this.state.get().notices.slice(-2), { id, tone, text }];
    this.state.patch({ notices });
    if (tone !== "error") this.deps.clock.after(6000, () => this.dismiss(id));
  }

  dismiss(id: number): void {
    this.state.patch({ notices: this.state.get().notices.filter((notice) => notice.id !== id) });
  }

  setTask(task: Task): void {
    const editor = { ...this.state.get().editor, task };
    this.state.patch({ task, editor });
  }

  /** A newer editor from the server: facts are shown, the draft is joined by the session. */
  setEditor(snapshot: EditorSnapshot): void {
    this.state.patch({ editor: snapshot, task: snapshot.task });
    this.#confirmedShown = snapshot.is_confirmed;
    this.lock.observe(snapshot.lock);
    this.session.adopt(snapshot);
    const clean = this.session.state.get().phase === "clean";
    if (clean) this.draft.store.replace(shapesOf(this.session.working, snapshot.is_confirmed), "remote");
  }

  async reloadEditor(): Promise<void> {
    this.setEditor(await this.deps.api.editor(this.taskId));
  }

  showJob(job: Job): void {
    const another = job.job_id !== this.state.get().job?.job_id;
    this.state.patch(another ? { job, finished: {}, results: null } : { job });
    this.panel.show(job);
  }

  async answered(reply: InterventionReply): Promise<void> {
    this.say("ok", reply.outcome === "EMPTY_SELECTION" ? "notice.answeredEmpty" : "notice.answered");
    const { job } = this.state.get();
    if (job?.job_id === reply.job_id && job.version < reply.version) {
      // The reply itself says what comes: the bar need not wait for another request.
      const { status, version } = reply;
      this.state.patch({
        job: { ...job, status, version, active_pause: null, pending_actions: [], progress: null },
      });
    }
    // Answering has claimed a pending task and made its lock the person's: hold it from this page on.
    const holding = this.lock.isHeld ? null : this.lock.acquire().catch(() => null);
    await Promise.all([this.reloadJob(), this.reloadEditor(), holding]);
  }

  async reloadJob(jobId = this.state.get().job?.job_id): Promise<void> {
    if (!jobId) return;
    this.showJob(await this.deps.api.job(jobId));
  }

  async #held(regained: boolean): Promise<void> {
    if (!regained) return;
    const snapshot = await this.deps.api.editor(this.taskId).catch(() => null);
    if (!snapshot) return;
    this.state.patch({ editor: snapshot, task: snapshot.task });
    this.session.lockRegained(snapshot);
    this.say("ok", "notice.lockRegained");
  }

  #edited(): void {
    const items: Item[] = this.draft.store.all().map(itemOfShape);
    const before = this.session.working;
    if (same(before.items, items)) return;
    this.session.edit({ ...before, items });
    if (this.state.get().editor.is_confirmed)
      this.state.patch({ editor: { ...this.state.get().editor, is_confirmed: false } });
    this.ensureClaimed().catch((error) => this.failed(error));
  }

  #refreshEditable(): void {
    const situation = this.situation();
    const readOnly = whyReadOnly(situation) !== null || this.panel.isSending;
    const kinds = situation.panelOpen ? this.#panelKinds() : situation.page.editor.config.geometries;
    const now = this.editor.editable.get();
    if (now.readOnly !== readOnly || now.kinds.join() !== kinds.join())
      this.editor.setEditable(readOnly, kinds);
  }

  #panelKinds(): ("bbox" | "point" | "polygon")[] {
    const actions = this.panel.state.get()?.actions ?? [];
    return actions.includes("DRAW_MANUAL_BOX") ? ["bbox"] : [];
  }

  #holdsReview(lock: Lock | null): boolean {
    const { task, me } = this.state.get();
    return task.status === "review" && lock !== null && String(lock.user.id) === String(me.id);
  }
}
