import type { Api } from "../api/calls";
import { messageOf, NetworkError, type ProblemError } from "../api/problem";
import type { EditorSnapshot, InterventionReply, Job, Lock, ModelRun, Task } from "../api/types";
import type { Clock } from "../clock";
import type { Config } from "../config";
import { Documents } from "../draft/documents";
import { type Known, knownOf } from "../draft/provenance";
import { Editor } from "../editor/editor";
import type { ShapeDocument } from "../editor/editorDoc";
import type { MessageKey, Params, Translate } from "../i18n";
import { Observable } from "../observable";
import { type PanelStorage, PausePanel } from "../panel/pausePanel";
import { LocalDetection } from "../region/localDetection";
import { ModelRuns } from "../runs/modelRuns";
import { baseOf, type EditorDocument, type Question, same } from "../session/document";
import { EditorSession } from "../session/editorSession";
import { LockKeeper, lockOf } from "../session/lockKeeper";
import { type Backup, type RecoveryStore, signatureOf } from "../session/recovery";
import { editableIn } from "./editable";
import { readEnd, watchLockEnd } from "./lockEnd";
import { NoticeBoard } from "./noticeBoard";
import { initialPage, type Notice, type PageState } from "./pageState";
import type { Situation } from "./permissions";
import { onRunEnded } from "./runActions";

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
  readonly documents: Documents;
  readonly runs: ModelRuns;
  readonly local: LocalDetection;
  readonly notices: NoticeBoard;
  readonly deps: PageDeps;
  /** Ids of actions whose reply was lost: pressing again is the same request. */
  readonly #requestIds = new Map<string, string>();
  #claiming: Promise<void> | null = null;
  #readings = 0;
  #shownReading = 0;
  #known: Known;
  #undoable = false;

  constructor(deps: PageDeps, snapshot: EditorSnapshot, job: Job | null) {
    this.deps = deps;
    const { config, api, clock, random, newId } = deps;
    this.state = new Observable(initialPage(config, snapshot, job));
    this.notices = new NoticeBoard(this.state, clock);
    const { asset } = snapshot.task;
    this.editor = new Editor({ picture: { width: asset.width, height: asset.height }, newId });
    this.#known = knownOf(snapshot, config.role);
    const base = baseOf(snapshot);
    this.documents = new Documents(base.document, this.#known, (doc, undone) => this.#edited(doc, undone));
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
      wasEnded: async () => (await readEnd(this))?.kind === "released",
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
      onReplaced: (document) => this.#replaced(document),
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
    this.runs = new ModelRuns({
      start: (body) => api.startRun(this.taskId, { ...body, ...this.credentials() }),
      read: api.run,
      newest: () => api.newestRuns(this.taskId, 5),
      cancel: api.cancelRun,
      onEnded: (run, ours) => void onRunEnded(this, run, ours).catch((error) => this.failed(error)),
    });
    this.local = new LocalDetection({
      areas: this.editor.areas,
      read: api.region,
      candidates: () => this.session.working.candidates,
    });
    this.editor.open(this.draft);
    const refresh = () => this.#refreshEditable();
    const { state, lock, session, panel, runs, editor } = this;
    for (const source of [state, lock.state, session.state, panel.state, runs.state, editor.doc])
      source.subscribe(refresh);
    refresh();
    watchLockEnd(this);
  }

  get draft(): ShapeDocument {
    return this.documents.draft;
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
      run: this.runs.active,
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
    if (role !== "viewer") void this.#findRun().catch(() => undefined);
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
      this.lock.hold(reply.lock, this.session.state.get().phase === "lock_lost");
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
    const snapshot = problem.body?.snapshot as (Partial<Task> & Partial<EditorSnapshot>) | undefined;
    if (snapshot?.asset && snapshot.status) this.setTask(snapshot as Task);
    else if (snapshot?.task && snapshot.draft) this.setEditor(snapshot as EditorSnapshot);
    // The fields' own words are for people; the whole repeats them with technical names.
    const fields = (problem.body?.errors ?? []).map((field) => field.message).filter(Boolean);
    this.notices.show("error", fields.length ? [...new Set(fields)].slice(0, 3).join(" ") : messageOf(error));
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
    const lock = lockOf(error, this.taskId);
    if (lock && String(lock.user.id) !== String(this.state.get().me.id)) this.lock.changed(lock);
  }

  say(tone: Notice["tone"], key: MessageKey, params?: Params): void {
    this.notices.show(tone, this.deps.t(key, params));
  }

  setTask(task: Task): void {
    const editor = { ...this.state.get().editor, task };
    this.state.patch({ task, editor });
  }

  /** A newer editor from the server: facts are shown, the draft is joined by the session. */
  setEditor(snapshot: EditorSnapshot): void {
    this.state.patch({ editor: snapshot, task: snapshot.task });
    this.#known = knownOf(snapshot, this.state.get().role);
    this.session.adopt(snapshot);
    // Confirmed was what the server had when this was read: not the edits that it does not have yet, nor the
    // save that it did not know.
    const isBehind = snapshot.draft.version < this.session.base.versions.draft;
    if (snapshot.is_confirmed && (isBehind || this.session.state.get().edits > 0))
      this.state.patch({ editor: { ...snapshot, is_confirmed: false } });
    const clean = this.session.state.get().phase === "clean";
    if (clean) this.documents.show(this.session.working, this.#known);
    else this.documents.know(this.#known);
  }

  /** An earlier state of this picture becomes the draft; undo takes that back. */
  async bringBack(backup: Backup): Promise<void> {
    this.#undoable = true;
    try {
      await this.session.bringBack(backup);
    } finally {
      this.#undoable = false;
    }
    this.ensureClaimed().catch((error) => this.failed(error));
  }

  /** The person changed what this task asks. */
  ask(question: Question): void {
    this.session.edit({ ...this.session.working, config: question });
    this.#replaced(this.session.working);
    this.ensureClaimed().catch((error) => this.failed(error));
  }

  /** The editor after the person applied something on the server: undo takes back candidates and draft together. */
  setEditorUndoably(snapshot: EditorSnapshot): void {
    this.#undoable = true;
    try {
      this.setEditor(snapshot);
    } finally {
      this.#undoable = false;
    }
  }

  /** Reads the editor anew. A reply that a later reading or the stream has overtaken tells nothing any more. */
  async reloadEditor(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const { changes } = this.lock;
    const snapshot = await this.deps.api.editor(this.taskId);
    if (reading < this.#shownReading) return;
    this.#shownReading = reading;
    this.setEditor(snapshot);
    if (changes === this.lock.changes) this.lock.observe(snapshot.lock);
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
    this.#known = knownOf(snapshot, this.state.get().role);
    this.session.lockRegained(snapshot);
    this.documents.know(this.#known);
    const isOpen = this.session.state.get().phase === "conflict";
    this.say(isOpen ? "warn" : "ok", isOpen ? "notice.lockBack" : "notice.lockRegained");
  }

  #replaced(document: EditorDocument): void {
    this.documents.show(document, this.#known, { undoable: this.#undoable });
    this.#showQuestion(document.config);
  }

  #showQuestion(question: Question): void {
    const { editor } = this.state.get();
    const config = { ...editor.config, ...question };
    if (!same(config, editor.config)) this.state.patch({ editor: { ...editor, config } });
  }

  #edited(doc: ShapeDocument, undone: boolean): void {
    // What undo takes back is seen.
    if (undone && this.editor.doc.get().name !== "panel") this.editor.open(doc);
    const before = this.session.working;
    const after = this.documents.documentAfter(before);
    if (same(before, after)) return;
    this.session.edit(after);
    if (same(before.items, after.items)) return;
    if (this.state.get().editor.is_confirmed)
      this.state.patch({ editor: { ...this.state.get().editor, is_confirmed: false } });
    this.ensureClaimed().catch((error) => this.failed(error));
  }

  #refreshEditable(): void {
    const panel = this.panel.state.get();
    const wanted = editableIn(this.situation(), this.editor.doc.get().name, panel, this.panel.isSending);
    if (!same(this.editor.editable.get(), wanted))
      this.editor.setEditable(wanted.readOnly, wanted.kinds, wanted.areas);
  }

  /** A run that went on when the page was left, or the preview that it brought meanwhile. */
  async #findRun(): Promise<void> {
    const run: ModelRun | null = await this.runs.load();
    const mine = String(run?.created_by?.id ?? "") === String(this.state.get().me.id);
    if (run && mine && !this.runs.active) await onRunEnded(this, run, false, { reopened: true });
  }

  #holdsReview(lock: Lock | null): boolean {
    const { task, me } = this.state.get();
    return task.status === "review" && lock !== null && String(lock.user.id) === String(me.id);
  }
}
