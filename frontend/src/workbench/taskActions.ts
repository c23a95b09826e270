import type { MarkName, Task } from "../api/types";
import type { MessageKey } from "../i18n";
import type { WorkbenchPage } from "./page";
import { isQuorum } from "./permissions";

/** Leaves for another task; the draft is saved before. */
export type GoTo = (taskId: string) => void;

export async function start(page: WorkbenchPage): Promise<void> {
  const { task } = page.state.get();
  await page.perform("start", async () => {
    if (task.status === "pending") await page.ensureClaimed();
    else {
      // Unfinished work of somebody else without a live lock: a claim takes it over, with the draft.
      const reply = await page.once("claim", (id) =>
        page.deps.api.claim(page.taskId, page.lock.clientId, id),
      );
      page.setTask(reply.task);
      page.lock.hold(reply.lock, page.session.state.get().phase === "lock_lost");
    }
  });
}

/** From a stale lock's holder, or back after a loss; then what happened meanwhile is joined in. */
export async function takeOver(page: WorkbenchPage): Promise<void> {
  await page.perform("takeOver", async () => {
    // Given back meanwhile it waits in the queue again: the lock alone would let nothing be saved.
    if (page.state.get().task.status === "pending") await page.ensureClaimed();
    else await page.lock.acquire();
    await page.reloadEditor();
  });
}

export async function confirm(page: WorkbenchPage): Promise<boolean> {
  return page.perform("confirm", async (requestId) => {
    await page.session.flush();
    const { versions } = page.session.base;
    const reply = await page.deps.api.confirm(page.taskId, {
      request_id: requestId,
      expected_draft_version: versions.draft,
      expected_config_version: versions.config,
      ...page.credentials(),
    });
    await page.reloadEditor();
    page.say("ok", "notice.confirmed", { revision: reply.annotation.revision });
  });
}

export async function submit(page: WorkbenchPage): Promise<boolean> {
  return page.perform("submit", async (requestId) => {
    await page.session.flush();
    const reply = await page.deps.api.submit(page.taskId, {
      request_id: requestId,
      expected_draft_version: page.session.base.versions.draft,
      ...page.credentials(),
    });
    page.lock.forget();
    page.setTask(reply.task);
    page.say("ok", "notice.submitted");
  });
}

/** Saves, confirms, submits if the project says so, takes the next: the first failure stops here and says why. */
export async function confirmAndNext(page: WorkbenchPage, goTo: GoTo): Promise<void> {
  if (!page.state.get().editor.is_confirmed || page.session.state.get().edits > 0) {
    if (!(await confirm(page))) return;
  }
  const { task, submitOnConfirm, queue } = page.state.get();
  if (task.status === "in_progress" && !submitOnConfirm) {
    // The task stays the person's own, and "next" would hand it out again: go on along the strip.
    const at = queue.findIndex((entry) => entry.id === task.id);
    const rest = [...queue.slice(at + 1), ...queue.slice(0, Math.max(0, at))];
    const open = rest.find((entry) => entry.status === "pending" || entry.status === "in_progress");
    if (open) goTo(open.id);
    else page.say("ok", "notice.nothingNext");
    return;
  }
  const reviews = task.status === "review";
  if (task.status === "in_progress" && !(await submit(page))) return;
  // A reviewer or admin who annotates goes on annotating, though the task is in review now.
  await next(page, goTo, { reviews });
}

/** The next task to work on, or the next review for who is reviewing. */
export async function next(
  page: WorkbenchPage,
  goTo: GoTo,
  { reviews = page.state.get().task.status === "review" } = {},
): Promise<void> {
  await page.perform("next", async (requestId) => {
    await page.session.flush();
    const { task, role } = page.state.get();
    const ask = reviews && role !== "annotator" ? page.deps.api.nextReview : page.deps.api.next;
    const reply = await ask(task.project.id, page.lock.clientId, requestId);
    if (!reply.task) page.say("ok", "notice.nothingNext");
    else if (reply.task.id === page.taskId) page.say("ok", "notice.sameTask");
    else goTo(reply.task.id);
  });
}

export async function withdraw(page: WorkbenchPage): Promise<void> {
  await page.perform("withdraw", async (requestId) => {
    await page.session.flush();
    const reply = await page.deps.api.withdraw(page.taskId, requestId);
    page.lock.forget();
    page.setTask(reply.task);
    page.say("ok", "notice.withdrawn");
  });
}

export async function recall(page: WorkbenchPage): Promise<void> {
  await page.perform("recall", async (requestId) => {
    const reply = await page.deps.api.recall(page.taskId, page.lock.clientId, requestId);
    page.setTask(reply.task);
    page.lock.hold(reply.lock);
  });
}

export async function reviewClaim(page: WorkbenchPage): Promise<void> {
  await page.perform("reviewClaim", async (requestId) => {
    const reply = await page.deps.api.reviewClaim(page.taskId, page.lock.clientId, requestId);
    page.setTask(reply.task);
    // With several required approvals the claim is an assignment, and a lock is somebody's who corrects.
    if (!isQuorum(page.state.get()) && reply.lock) page.lock.hold(reply.lock);
    await page.reloadEditor();
  });
}

export async function approve(page: WorkbenchPage, comment: string): Promise<void> {
  const revision = page.state.get().task.annotation_revision;
  if (revision === null) return;
  await page.perform("approve", async (requestId) => {
    const reply = await page.deps.api.approve(page.taskId, {
      request_id: requestId,
      annotation_revision: revision,
      ...(comment ? { comment } : {}),
      ...page.credentials(),
    });
    page.lock.forget();
    await decided(page, reply.task, "notice.approved");
  });
}

/** With several reviewers one decision may leave the task where it is: then it is not said to be settled. */
async function decided(page: WorkbenchPage, task: Task, settled: MessageKey): Promise<void> {
  page.setTask(task);
  page.say("ok", task.status === "review" ? "notice.decided" : settled);
  if (task.status === "review") await page.reloadEditor();
}

export async function sendBack(page: WorkbenchPage, reason: string): Promise<boolean> {
  const { task, pins } = page.state.get();
  return page.perform("reject", async (requestId) => {
    const reply = await page.deps.api.reject(page.taskId, {
      request_id: requestId,
      ...(task.annotation_revision === null ? {} : { annotation_revision: task.annotation_revision }),
      reason,
      pins,
      ...page.credentials(),
    });
    page.lock.forget();
    page.state.patch({ pins: [], pinning: false, dialog: null });
    await decided(page, reply.task, "notice.sentBack");
  });
}

/** Marks the picture; a mark that somebody else set meanwhile is shown instead, and nothing is overwritten. */
export async function mark(
  page: WorkbenchPage,
  wanted: { mark: MarkName; reason: string; note: string },
): Promise<boolean> {
  return page.perform("mark", async (request_id) => {
    await page.ensureClaimed();
    const { version } = page.state.get().editor.mark;
    const body = { request_id, expected_version: version, ...wanted, ...page.credentials() };
    const reply = await page.deps.api.mark(page.taskId, body);
    page.state.patch({ editor: { ...page.state.get().editor, mark: reply } });
    // A picture that was put aside and comes back asks for a new confirmation.
    await page.reloadEditor();
    page.say("ok", "notice.marked");
  });
}

export async function answerPin(page: WorkbenchPage, pinId: string, text: string): Promise<void> {
  await page.perform("answerPin", async () => {
    await page.deps.api.answerPin(page.taskId, pinId, text);
    page.setTask(await page.deps.api.task(page.taskId));
  });
}
