import { type Api, createApi } from "../api/calls";
import { createClient, readCookie } from "../api/client";
import { ProblemError } from "../api/problem";
import { signInAt } from "../api/signin";
import type { EditorSnapshot, Job } from "../api/types";
import { systemClock } from "../clock";
import type { Config } from "../config";
import type { Translate } from "../i18n";
import { openIndexedDbStore } from "../session/indexedDbStore";
import { createMemoryStore, type RecoveryStore } from "../session/recovery";
import { startBeatClock } from "../stream/beatClock";
import { type Socket, TaskStream } from "../stream/taskStream";
import { loadResults } from "./jobActions";
import { keepPosition, restorePosition } from "./lastPosition";
import { WorkbenchPage } from "./page";
import { onStreamEvent, onStreamSnapshot, resync } from "./streamEvents";
import { chooseTabId, openTabs } from "./tabId";

export interface Booted {
  page: WorkbenchPage;
  stream: TaskStream;
  signIn: (password: string) => Promise<boolean>;
}

/** A UUID also where the page is not served over https and `crypto.randomUUID` does not exist. */
export function newUuid(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Reads the task, builds the page and connects it to the browser. */
export async function boot(config: Config, t: Translate): Promise<Booted> {
  let page: WorkbenchPage | null = null;
  const signedIn: (() => void)[] = [];
  const fetchLike = (url: string, init: RequestInit) => fetch(url, init);
  const client = createClient({
    fetch: fetchLike,
    csrfToken: () => readCookie("csrftoken", document.cookie),
    signIn: () =>
      new Promise((resolve) => {
        signedIn.push(resolve);
        page?.state.patch({ signedOut: true });
      }),
  });
  const api = createApi(client);
  const [snapshot, store, tabId] = await Promise.all([
    api.editor(config.taskId),
    recoveryStore(),
    chooseTabId(sessionStorage, newUuid, navigator.locks),
  ]);
  const job = config.role === "viewer" ? null : await jobOf(api, snapshot);
  let stream: TaskStream | null = null;
  const built = new WorkbenchPage(
    {
      config,
      api,
      clock: systemClock,
      random: Math.random,
      newId: newUuid,
      store: withoutOpenTabs(store),
      panelStorage: {
        get: (key) => sessionStorage.getItem(key),
        set: (key, value) => sessionStorage.setItem(key, value),
        remove: (key) => sessionStorage.removeItem(key),
      },
      tabId,
      clientId: newUuid(),
      t,
      beatBySocket: (clientId) => stream?.heartbeat(clientId) ?? false,
    },
    snapshot,
    job,
  );
  page = built;
  restorePosition(built.editor, config.taskId, sessionStorage);
  stream = connect(built, config);
  watchBrowser(built, stream);
  await built.start();
  stream.open();
  void loadQueue(built);
  if (job) void loadResults(built, { show: false }).catch(() => undefined);
  const signIn = async (password: string) => {
    const probeUrl = `/api/v1/tasks/${config.taskId}`;
    const login = { loginUrl: config.urls.login, probeUrl, username: config.user.username, password };
    if (!(await signInAt(fetchLike, login))) return false;
    for (const resume of signedIn.splice(0)) resume();
    built.session.signedIn();
    stream?.renew();
    return true;
  };
  return { page: built, stream, signIn };
}

async function jobOf(api: Api, snapshot: EditorSnapshot): Promise<Job | null> {
  if (snapshot.job) return snapshot.job;
  const id = snapshot.task.job?.job_id;
  // A task without its job can still be annotated.
  return id ? api.job(id).catch(() => null) : null;
}

async function recoveryStore(): Promise<RecoveryStore> {
  return openIndexedDbStore().catch(() => createMemoryStore());
}

function withoutOpenTabs(store: RecoveryStore): RecoveryStore {
  return {
    ...store,
    others: async (tabId, signature) => {
      const open = await openTabs(navigator.locks);
      return (await store.others(tabId, signature)).filter((record) => !open.has(record.tabId));
    },
  };
}

function connect(page: WorkbenchPage, config: Config): TaskStream {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const quietly = (work: Promise<void>) =>
    void work.catch((error) => {
      // Not everybody may read all that the stream tells of.
      const status = error instanceof ProblemError ? error.status : 0;
      if (status !== 403 && status !== 404) page.failed(error);
    });
  // Without a place to resume from: the line begins with a snapshot, which covers what happened since the
  // editor was read. The job's last event is no such place, the task may have moved on after it.
  return new TaskStream({
    connect: () => new WebSocket(`${scheme}//${location.host}${config.wsPath}`) as unknown as Socket,
    clock: systemClock,
    random: Math.random,
    onEvent: (event) => quietly(onStreamEvent(page, event)),
    onSnapshot: (snapshot) => quietly(onStreamSnapshot(page, snapshot)),
    onPresence: (watchers) => page.state.patch({ watchers }),
    onLock: (state, expireAt) => page.lock.answered(state, expireAt),
    onGap: () => quietly(resync(page)),
    onEnded: (reason) => {
      if (reason === "signed_out") page.state.patch({ signedOut: true });
      else {
        page.say("error", "notice.forbidden");
        void page.session.lockLost();
      }
    },
  });
}

async function loadQueue(page: WorkbenchPage): Promise<void> {
  const { task } = page.state.get();
  void page.deps.api.project(task.project.id).then(
    (project) => page.state.patch({ submitOnConfirm: project.submit_on_confirm ?? true }),
    () => undefined,
  );
  const reply = await page.deps.api.queue(task.project.id, task.batch.id).catch(() => null);
  if (!reply) return;
  // Lists come newest first; the strip runs in the order of the work.
  const queue = [...reply.items].reverse();
  page.state.patch({ queue: queue.some((entry) => entry.id === task.id) ? queue : [task, ...queue] });
}

function watchBrowser(page: WorkbenchPage, stream: TaskStream): void {
  startBeatClock(() => page.lock.tick());
  const { taskId } = page.deps.config;
  // Tells the person's other pages of this task that it was this one that let the lock go.
  const siblings =
    typeof BroadcastChannel === "function" ? new BroadcastChannel(`countersign.task.${taskId}`) : null;
  if (siblings) siblings.onmessage = () => page.lock.siblingReleased();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") page.lock.tick(true);
    else {
      page.session.leave();
      page.panel.keepEdits();
      keepPosition(page.editor, taskId, sessionStorage);
    }
  });
  window.addEventListener("online", () => {
    page.session.online();
    page.panel.online();
    stream.reconnect();
  });
  window.addEventListener("pagehide", () => {
    page.session.leave();
    keepPosition(page.editor, taskId, sessionStorage);
    page.panel.keepEdits();
    if (page.lock.isHeld) siblings?.postMessage("released");
    page.lock.release();
  });
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    // Out of the back-forward cache: a new page load as far as the lock is concerned.
    page.lock.renew(newUuid());
    stream.reconnect();
    void resync(page)
      .then(() => page.start())
      .catch((error) => page.failed(error));
  });
}
