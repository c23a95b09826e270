import type { Hold, Role, UserRef } from "./api/types";

/** What the template tells the page: attributes of `#workbench` and the JSON beside it. */
export interface Config {
  taskId: string;
  user: UserRef;
  role: Role;
  language: string;
  wsPath: string;
  /** The batch was on hold when the page was opened. */
  hold: Hold | null;
  urls: { home: string; project: string; login: string; ahead: string };
}

export function readConfig(document: Document): Config {
  const root = document.getElementById("workbench");
  const script = document.getElementById("workbench-config");
  if (!root) throw new Error("The page has no #workbench element.");
  const json = JSON.parse(script?.textContent || "{}") as {
    task_id?: string;
    user?: UserRef;
    role?: Role;
    ws_path?: string;
    hold?: Hold | null;
    language?: string;
    urls?: { home?: string; project?: string; login?: string; ahead?: string };
  };
  const taskId = json.task_id ?? root.dataset.taskId ?? "";
  const username = root.dataset.username ?? "";
  return {
    taskId,
    user: json.user ?? { id: root.dataset.userId ?? "", username, name: username },
    role: json.role ?? "annotator",
    language: json.language ?? root.dataset.language ?? document.documentElement.lang ?? "en",
    wsPath: json.ws_path ?? `/ws/tasks/${taskId}/`,
    hold: json.hold ?? null,
    urls: {
      home: json.urls?.home ?? "/",
      project: json.urls?.project ?? `/projects/${root.dataset.projectId ?? ""}/`,
      login: json.urls?.login ?? "/login/",
      ahead: json.urls?.ahead ?? `/tasks/${taskId}/ahead/`,
    },
  };
}
