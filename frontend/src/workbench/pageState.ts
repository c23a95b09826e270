import type { EditorSnapshot, Job, Results, Role, Task, UserRef } from "../api/types";
import type { Config } from "../config";
import type { LockEnd } from "./lockEnd";

export interface Notice {
  id: number;
  tone: "ok" | "warn" | "error";
  text: string;
}

export type Dialog = "shortcuts" | "recovery" | "copies" | "question" | "mark" | null;

/** Everything that the page shows and that is neither the editor's nor the session's own state. */
export interface PageState {
  task: Task;
  editor: EditorSnapshot;
  job: Job | null;
  results: Results | null;
  /** Boxes of the running job that are done, as the stream tells them. */
  finished: Readonly<Record<string, { outcome: string; cutoutUrl: string | null }>>;
  role: Role;
  me: UserRef;
  queue: Task[];
  /** The project sends a confirmed task to review with "confirm and next". */
  submitOnConfirm: boolean;
  watchers: UserRef[];
  notices: Notice[];
  dialog: Dialog;
  signedOut: boolean;
  /** Why the lock is gone, once that is known. */
  lockEnd: LockEnd | null;
  /** The name of the action on its way; its button says so. */
  busy: string | null;
  tab: "items" | "results" | "history";
  /** Pins that a reviewer sets on the picture while sending back. */
  pins: { x: number; y: number; text: string }[];
  pinning: boolean;
  adjust: { open: boolean; brightness: number; contrast: number };
  filter: { open: boolean; label: string; minScore: number };
}

export function initialPage(config: Config, editor: EditorSnapshot, job: Job | null): PageState {
  return {
    task: editor.task,
    editor,
    job,
    results: null,
    finished: {},
    role: config.role,
    me: config.user,
    queue: [],
    submitOnConfirm: true,
    watchers: [],
    notices: [],
    dialog: null,
    signedOut: false,
    lockEnd: null,
    busy: null,
    tab: "items",
    pins: [],
    pinning: false,
    adjust: { open: false, brightness: 100, contrast: 100 },
    filter: { open: false, label: "", minScore: 0 },
  };
}
