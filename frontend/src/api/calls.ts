import type { RegionAnswer } from "../region/choices";
import type { Client } from "./client";
import type {
  Annotation,
  EditorSnapshot,
  InterventionBody,
  InterventionReply,
  Job,
  Lock,
  Mark,
  MarkName,
  ModelRun,
  Page,
  PastAct,
  PastPause,
  RegionPreview,
  Results,
  SaveReply,
  Task,
} from "./types";

export interface LockCredentials {
  client_id?: string;
  lock_token?: number;
}

export interface RejectBody {
  request_id: string;
  annotation_revision?: number;
  reason: string;
  pins: { x: number; y: number; text: string }[];
}

export interface ConfirmBody {
  request_id: string;
  expected_draft_version: number;
  expected_config_version: number;
}

export interface MarkBody {
  request_id: string;
  mark: MarkName;
  reason: string;
  note: string;
  expected_version: number;
}

export interface NextReply {
  task: Task | null;
  lock?: Lock | null;
  why?: string;
  reasons?: Record<string, unknown>;
}

/** Every call that the workbench makes, by the name of what it does. */
export function createApi(client: Client) {
  const task = (id: string) => `/tasks/${id}`;
  return {
    task: (id: string) => client<Task>("GET", task(id)),
    editor: (id: string) => client<EditorSnapshot>("GET", `${task(id)}/editor`),
    history: (id: string) => client<{ items: PastAct[] }>("GET", `${task(id)}/history`),
    save: (id: string, body: unknown) =>
      client<SaveReply>("PUT", `${task(id)}/editor`, { body, raw401: true }),
    queue: (project: string, batch: string) =>
      client<Page<Task>>("GET", `/tasks?project=${project}&batch=${batch}&limit=50`),
    claim: (id: string, client_id: string, request_id: string) =>
      client<{ task: Task; lock: Lock }>("POST", `${task(id)}/claim`, { body: { client_id, request_id } }),
    reviewClaim: (id: string, client_id: string, request_id: string) =>
      client<{ task: Task; lock: Lock | null }>("POST", `${task(id)}/review-claim`, {
        body: { client_id, request_id },
      }),
    withdraw: (id: string, request_id: string) =>
      client<{ task: Task }>("POST", `${task(id)}/withdraw`, { body: { request_id } }),
    recall: (id: string, client_id: string, request_id: string) =>
      client<{ task: Task; lock: Lock }>("POST", `${task(id)}/recall`, { body: { client_id, request_id } }),
    submit: (id: string, body: LockCredentials & { request_id: string; expected_draft_version: number }) =>
      client<{ task: Task }>("POST", `${task(id)}/submit`, { body }),
    confirm: (id: string, body: ConfirmBody & LockCredentials) =>
      client<{ annotation: Annotation }>("POST", `${task(id)}/confirm`, { body }),
    approve: (
      id: string,
      body: LockCredentials & { request_id: string; annotation_revision: number; comment?: string },
    ) => client<{ task: Task }>("POST", `${task(id)}/approve`, { body }),
    reject: (id: string, body: RejectBody & LockCredentials) =>
      client<{ task: Task }>("POST", `${task(id)}/reject`, { body }),
    answerPin: (id: string, pin: string, text: string) =>
      client<unknown>("POST", `${task(id)}/pins/${pin}/answer`, { body: text ? { text } : {} }),
    annotations: (id: string) =>
      client<Page<Annotation> | { items: Annotation[] }>("GET", `${task(id)}/annotations`),
    acquireLock: (id: string, client_id: string) =>
      client<Lock>("PUT", `${task(id)}/lock`, { body: { client_id } }),
    heartbeat: (id: string, client_id: string) =>
      client<{ expire_at: string }>("POST", `${task(id)}/lock/heartbeat`, {
        body: { client_id },
        raw401: true,
      }),
    releaseLock: (id: string, client_id: string) =>
      client<null>("DELETE", `${task(id)}/lock?client_id=${client_id}`, { keepalive: true, raw401: true }),
    startJob: (id: string, request_id: string) =>
      client<{ job_id: string; task_id: string; status: string }>("POST", "/jobs", {
        body: { task: id, request_id },
      }),
    startRun: (id: string, body: object) => client<{ run_id: string }>("POST", `${task(id)}/runs`, { body }),
    newestRuns: (id: string, limit: number) =>
      client<Page<ModelRun>>("GET", `${task(id)}/runs?limit=${limit}`),
    run: (id: string) => client<ModelRun>("GET", `/runs/${id}`),
    cancelRun: (id: string, request_id: string) =>
      client<ModelRun>("POST", `/runs/${id}/cancel`, { body: { request_id } }),
    region: (id: string) => client<RegionPreview>("GET", `/regions/${id}`),
    applyRegion: (
      id: string,
      body: LockCredentials & RegionAnswer & { request_id: string; expected_draft_version: number },
    ) => client<EditorSnapshot>("POST", `/regions/${id}/apply`, { body }),
    mark: (id: string, body: LockCredentials & MarkBody) => client<Mark>("PUT", `${task(id)}/mark`, { body }),
    pauses: (id: string) => client<Page<PastPause>>("GET", `/jobs/${id}/pauses?limit=50`),
    job: (id: string) => client<Job>("GET", `/jobs/${id}`),
    results: (id: string) => client<Results>("GET", `/jobs/${id}/results`),
    cancelJob: (id: string, request_id: string) =>
      client<Job>("POST", `/jobs/${id}/cancel`, { body: { request_id } }),
    compensateJob: (id: string, request_id: string) =>
      client<{ job_id: string; task_id: string; status: string }>("POST", `/jobs/${id}/compensate`, {
        body: { request_id },
      }),
    intervene: (id: string, body: InterventionBody & LockCredentials) =>
      client<InterventionReply>("POST", `/jobs/${id}/interventions`, { body }),
    applyPrediction: (
      id: string,
      body: LockCredentials & { request_id: string; expected_draft_version: number },
    ) => client<EditorSnapshot>("POST", `/predictions/${id}/apply`, { body }),
    project: (id: string) => client<{ submit_on_confirm?: boolean }>("GET", `/projects/${id}`),
    next: (project: string, client_id: string, request_id: string) =>
      client<NextReply>("POST", `/projects/${project}/next`, { body: { client_id, request_id } }),
    nextReview: (project: string, client_id: string, request_id: string) =>
      client<NextReply>("POST", `/projects/${project}/next-review`, { body: { client_id, request_id } }),
  };
}

export type Api = ReturnType<typeof createApi>;
