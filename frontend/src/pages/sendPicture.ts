import { readCookie } from "../api/client";
import type { ProblemBody } from "../api/problem";
import { requestId } from "./api";
import { say } from "./words";

export interface Sent {
  job_id: string;
  task_id: string;
  status: string;
}

interface Picture {
  file: File;
  project: string;
  batch: string;
  onProgress: (share: number) => void;
}

const RETRIES = 3;

/**
 * Sends one picture to `POST /api/v1/jobs`, by XMLHttpRequest because `fetch` tells no upload progress. A request that
 * got no answer is sent again with the same `request_id`, so that it never makes two tasks. Raises Error with a sentence.
 */
export async function sendPicture(picture: Picture): Promise<Sent> {
  const form = new FormData();
  form.set("project", picture.project);
  if (picture.batch) form.set("batch", picture.batch);
  form.set("request_id", requestId());
  form.set("image", picture.file, picture.file.name);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(form, picture.onProgress);
    if (answer.status === 202) return JSON.parse(answer.text) as Sent;
    if (answer.status === 401)
      window.location.assign(`/login/?next=${encodeURIComponent(location.pathname)}`);
    const isPassing = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!isPassing || attempt > RETRIES) throw new Error(reason(answer));
    await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** attempt));
  }
}

function post(
  form: FormData,
  onProgress: (share: number) => void,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/jobs");
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", readCookie("csrftoken", document.cookie));
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener("loadend", () =>
      resolve({ status: request.status, text: request.responseText }),
    );
    request.send(form);
  });
}

function reason(answer: { status: number; text: string }): string {
  if (answer.status === 0) return say("no_connection");
  try {
    const problem = JSON.parse(answer.text) as ProblemBody;
    const messages = (problem.errors ?? []).map((error) => error.message);
    return messages.join(" ") || problem.detail || problem.code;
  } catch {
    return answer.status === 413 ? say("too_large") : `${answer.status}`;
  }
}
