import type { ModelRun } from "../api/types";
import type { MessageKey } from "../i18n";
import { answerOf, countChosen } from "../region/choices";
import { staleParts } from "../region/localDetection";
import { failureOf } from "../runs/modelRuns";
import type { WorkbenchPage } from "./page";
import { type Why, whyNoJudge, whyNoRun, whyReadOnly } from "./permissions";

/** Looks again at the marked region. What is found is a preview; the draft and the candidates stay as they are. */
export async function detectRegion(page: WorkbenchPage): Promise<void> {
  const { region, reference } = page.editor.areas.state.get();
  if (!region || whyNoRun(page.situation())) return;
  await page.perform("detectRegion", async (request_id) => {
    await page.session.flush();
    await page.runs.start({
      kind: "DETECT_REGION",
      region,
      ...(reference ? { reference } : {}),
      request_id,
    });
  });
}

/** Asks the judging model which candidates the question means. Its choice is a suggestion. */
export async function askJudge(page: WorkbenchPage): Promise<void> {
  if (whyNoJudge(page.situation())) return;
  await page.perform("judge", async (request_id) => {
    // The judge is to see what the person sees.
    await page.session.flush();
    await page.runs.start({ kind: "JUDGE_CANDIDATES", request_id });
  });
}

export async function cancelRun(page: WorkbenchPage): Promise<void> {
  await page.perform("cancelRun", (requestId) => page.runs.cancel(requestId));
}

/** Why the preview cannot be applied as chosen. */
export function whyNoApply(page: WorkbenchPage): Why {
  const { preview, choices } = page.local.state.get();
  if (!preview) return null;
  if (staleParts(preview, page.session.base.versions).length) return "why.regionStale";
  return whyReadOnly(page.situation()) ?? (countChosen(choices) ? null : "why.nothingChosen");
}

/** Takes over what was chosen of the preview, all of it or nothing; undo takes it back. */
export async function applyRegion(page: WorkbenchPage): Promise<void> {
  const { preview, choices } = page.local.state.get();
  if (!preview || whyNoApply(page)) return;
  await page.perform("applyRegion", async (request_id) => {
    await page.ensureClaimed();
    await page.session.flush();
    const snapshot = await page.deps.api.applyRegion(preview.id, {
      request_id,
      expected_draft_version: page.session.base.versions.draft,
      ...answerOf(choices),
      ...page.credentials(),
    });
    page.setEditorUndoably(snapshot);
    leaveRegion(page);
    page.say("ok", "notice.regionApplied");
  });
}

/** Puts the areas and the preview away. */
export function leaveRegion(page: WorkbenchPage): void {
  page.local.close();
  if (page.editor.toolName.get() === "area") page.editor.setTool("select");
}

/** A run outside a job has ended: its result is shown to whoever asked for it. */
export async function onRunEnded(
  page: WorkbenchPage,
  run: ModelRun,
  ours: boolean,
  { reopened = false } = {},
): Promise<void> {
  if (run.status === "SUCCEEDED") {
    const regionId = run.result?.region_id;
    if (regionId && (ours || reopened)) await showPreview(page, regionId, reopened);
    // Candidates and suggestions are everybody's.
    else if (run.kind !== "DETECT_REGION" && !reopened) await page.reloadEditor();
    if (ours && run.warnings.some(({ code }) => code === "OVERTAKEN"))
      page.say("warn", "notice.runOvertaken");
    if (ours) page.runs.forget();
  } else if (ours && run.status === "CANCELLED") page.say("ok", "notice.runCancelled");
}

async function showPreview(page: WorkbenchPage, regionId: string, reopened: boolean): Promise<void> {
  const preview = await page.local.open(regionId);
  const isOf = !preview.failed_conditions.length && preview.items.length > 0;
  if (reopened && !isOf) page.local.close();
  else if (!preview.items.length) {
    page.local.close();
    page.say("warn", "notice.regionEmpty");
  } else page.state.patch({ tab: "items" });
}

const FAILURES: Record<string, MessageKey> = {
  UNSUPPORTED_NODE_TYPE: "run.notSetUp",
  PROVIDER_AUTH: "run.providerAuth",
  RATE_LIMITED: "run.rateLimited",
  TIMEOUT: "run.timeout",
  UNREACHABLE: "run.unreachable",
  SERVER_ERROR: "run.serverError",
  BAD_RESPONSE: "run.badResponse",
  BROKEN_CONTRACT: "run.badResponse",
  TRUNCATED_OUTPUT: "run.truncated",
  INTERRUPTED: "run.interrupted",
};

/** What to do about a run that failed: a sentence of ours where there is one, and the run's own words. */
export function failureWords(run: ModelRun | null): { advice: MessageKey; detail: string } | null {
  const failure = failureOf(run);
  if (!failure) return null;
  // Which node the worker does not know helps nobody here.
  const detail = failure.code === "UNSUPPORTED_NODE_TYPE" ? "" : failure.message;
  return { advice: FAILURES[failure.code] ?? "run.failed", detail };
}
