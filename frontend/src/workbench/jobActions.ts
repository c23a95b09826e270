import type { Candidate } from "../api/types";
import { adopted } from "../draft/itemShapes";
import type { WorkbenchPage } from "./page";
import { whyNoRun } from "./permissions";

/** Starts a detection; the panel comes by itself when the model is done. */
export async function runDetection(page: WorkbenchPage): Promise<void> {
  if (whyNoRun(page.situation())) return;
  await page.perform("run", async (requestId) => {
    await page.session.flush();
    const reply = await page.deps.api.startJob(page.taskId, requestId);
    page.local.close();
    page.state.patch({ results: null, finished: {}, tab: "items" });
    await page.reloadJob(reply.job_id);
  });
}

export async function cancelJob(page: WorkbenchPage): Promise<void> {
  const { job } = page.state.get();
  if (!job) return;
  await page.perform("cancel", async (requestId) => {
    page.showJob(await page.deps.api.cancelJob(job.job_id, requestId));
    page.say("ok", "notice.jobCancelled");
  });
}

/** A policy decided this job: a new one asks a person. The old one stays as it is. */
export async function compensateJob(page: WorkbenchPage): Promise<void> {
  const { job } = page.state.get();
  if (!job || whyNoRun(page.situation())) return;
  await page.perform("compensate", async (requestId) => {
    await page.session.flush();
    const reply = await page.deps.api.compensateJob(job.job_id, requestId);
    page.state.patch({ results: null, finished: {}, tab: "items" });
    await page.reloadJob(reply.job_id);
  });
}

export async function loadResults(page: WorkbenchPage, { show }: { show: boolean }): Promise<void> {
  const { job } = page.state.get();
  if (!job) return;
  const results = await page.deps.api.results(job.job_id);
  page.state.patch(show && results.items.length ? { results, tab: "results" } : { results });
}

export async function applyPrediction(page: WorkbenchPage): Promise<void> {
  const { prediction } = page.state.get().editor;
  if (!prediction) return;
  await page.perform("applyPrediction", async (requestId) => {
    await page.ensureClaimed();
    await page.session.flush();
    const expected_draft_version = page.session.base.versions.draft;
    const body = { request_id: requestId, expected_draft_version, ...page.credentials() };
    page.setEditorUndoably(await page.deps.api.applyPrediction(prediction.id, body));
  });
}

/** Candidates become items of the draft, with their source. One step of the history. */
export function adoptCandidates(page: WorkbenchPage, candidates: readonly Candidate[]): void {
  const setId = page.session.base.versions.candidateSetId;
  if (!setId || page.editor.readOnly || !candidates.length) return;
  page.draft.undo.mark();
  const { geometries } = page.session.working.config;
  const shapes = candidates.map((candidate) => adopted(candidate, setId, page.deps.newId(), geometries));
  for (const shape of shapes) page.draft.store.create(shape);
  page.editor.select(shapes.map((shape) => shape.id));
}
