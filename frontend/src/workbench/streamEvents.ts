import type { Job, JobStatus, Lock, StreamEvent } from "../api/types";
import { TERMINAL_JOB } from "../api/types";
import type { StreamSnapshot } from "../stream/taskStream";
import { loadResults } from "./jobActions";
import type { WorkbenchPage } from "./page";

/** What each event of the task's stream means for the page. Facts are read anew; progress is taken as told. */
export async function onStreamEvent(page: WorkbenchPage, event: StreamEvent): Promise<void> {
  switch (event.type) {
    case "lock.changed":
      page.lock.changed((event.lock as Lock | null) ?? null, event.at);
      break;
    case "task.status":
    case "annotation.confirmed":
    case "decision.made":
      await page.reloadEditor();
      break;
    case "draft.saved":
    case "boxes.changed":
      await onDraftSaved(page, event);
      break;
    case "pause.created":
    case "pause.consumed":
    case "policy.applied":
      await page.reloadJob(event.job_id ?? undefined);
      break;
    case "EMPTY_SELECTION_SUBMITTED":
      await page.reloadJob(event.job_id ?? undefined);
      break;
    case "job.status":
      await onJobStatus(page, event);
      break;
    case "run.progress":
      onProgress(page, event);
      await page.runs.onEvent(event);
      break;
    case "run.finished":
      await page.runs.onEvent(event);
      break;
    case "subject.finished":
      onSubject(page, event);
      break;
    default:
      break;
  }
}

export async function onStreamSnapshot(page: WorkbenchPage, snapshot: StreamSnapshot): Promise<void> {
  if (snapshot.editor) {
    page.setEditor(snapshot.editor);
    page.lock.resumed(snapshot.editor.lock);
  }
  if (snapshot.job && isNewer(page.state.get().job, snapshot.job)) page.showJob(snapshot.job);
}

/** Everything anew: after a gap in the stream, or a long sleep. */
export async function resync(page: WorkbenchPage): Promise<void> {
  await page.reloadEditor();
  const jobId = page.state.get().editor.job?.job_id ?? page.state.get().job?.job_id;
  if (jobId) await page.reloadJob(jobId);
  await page.runs.refresh();
}

async function onDraftSaved(page: WorkbenchPage, event: StreamEvent): Promise<void> {
  const { versions } = page.session.base;
  // Our own save comes back as an event too.
  if (event.type === "draft.saved" && (page.session.pending || event.draft_version === versions.draft))
    return;
  await page.reloadEditor();
}

async function onJobStatus(page: WorkbenchPage, event: StreamEvent): Promise<void> {
  if (!event.job_id) return;
  await page.reloadJob(event.job_id);
  const status = event.status as JobStatus;
  if (!TERMINAL_JOB.has(status)) return;
  await loadResults(page, { show: true });
  // A finished job may have filled an untouched draft.
  await page.reloadEditor();
}

function onSubject(page: WorkbenchPage, event: StreamEvent): void {
  const { job, finished } = page.state.get();
  if (!job || job.job_id !== event.job_id) return;
  const cutoutUrl = typeof event.cutout_url === "string" ? event.cutout_url : null;
  const done = { ...finished, [String(event.box_id)]: { outcome: String(event.outcome), cutoutUrl } };
  page.state.patch({ finished: done });
}

function onProgress(page: WorkbenchPage, event: StreamEvent): void {
  const { job } = page.state.get();
  if (!job || job.job_id !== event.job_id || TERMINAL_JOB.has(job.status)) return;
  const progress = {
    done: Number(event.done ?? 0),
    total: Number(event.total ?? 0),
    phase: String(event.phase ?? ""),
  };
  page.state.patch({ job: { ...job, progress } });
}

function isNewer(known: Job | null, told: Job): boolean {
  return !known || known.job_id !== told.job_id || told.version >= known.version;
}
