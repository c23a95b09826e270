import type { ProblemError } from "../../src/api/problem";
import { baseOf, type EditorDocument } from "../../src/session/document";
import { EditorSession } from "../../src/session/editorSession";
import { createMemoryStore, type RecoveryStore } from "../../src/session/recovery";
import { FakeClock } from "./fakeClock";
import type { FakeServer } from "./fakeServer";

let ids = 0;

export interface Opened {
  session: EditorSession;
  clock: FakeClock;
  store: RecoveryStore;
  shown: () => EditorDocument;
  lockLost: ProblemError[];
  credentials: { client_id?: string; lock_token?: number };
  edit: (items: EditorDocument["items"]) => void;
}

export interface OpenOptions {
  tabId?: string;
  store?: RecoveryStore;
  clock?: FakeClock;
  signature?: string;
  lockToken?: number;
}

/** A page that opens the task: the editor is read, then the session is made. */
export function openSession(server: FakeServer, options: OpenOptions = {}): Opened {
  const clock = options.clock ?? new FakeClock();
  const store = options.store ?? createMemoryStore();
  const credentials: Opened["credentials"] = { client_id: "page", lock_token: options.lockToken };
  const lockLost: ProblemError[] = [];
  let shown: EditorDocument = baseOf(server.snapshot()).document;
  const session = new EditorSession({
    taskId: "task",
    tabId: options.tabId ?? "tab-1",
    signature: options.signature ?? "task:100x80:abc",
    base: baseOf(server.snapshot()),
    save: server.save,
    fetchEditor: server.editor,
    store,
    clock,
    random: () => 0,
    newId: () => {
      ids += 1;
      return `request-${ids}`;
    },
    credentials: () => credentials,
    onReplaced: (document) => {
      shown = document;
    },
    onLockLost: (error) => lockLost.push(error),
  });
  const edit = (items: EditorDocument["items"]) => {
    shown = { ...session.working, items };
    session.edit(shown);
  };
  return { session, clock, store, shown: () => shown, lockLost, credentials, edit };
}
