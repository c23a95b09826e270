import "@fontsource-variable/inter/index.css";
import "../styles/workbench.css";
import "../styles/workbenchStage.css";
import "../styles/workbenchSide.css";
import "../styles/workbenchModels.css";
import "../styles/workbenchRecords.css";
import "../styles/workbenchOver.css";
import "../styles/workbenchPaper.css";
import { createRoot } from "react-dom/client";
import { ProblemError } from "../api/problem";
import { readConfig } from "../config";
import { withOverrides } from "../editor/keymap";
import { readOverrides } from "../editor/keyOverrides";
import { translator } from "../i18n";
import { App } from "./App";
import { boot } from "./boot";
import type { WorkbenchPage } from "./page";

declare global {
  interface Window {
    /** For browser tests only: the editor's core, and picture pixels → page coordinates. */
    __workbench?: {
      editor: WorkbenchPage["editor"];
      page: WorkbenchPage;
      toScreen: (x: number, y: number) => { x: number; y: number };
    };
  }
}

async function main(): Promise<void> {
  const element = document.getElementById("workbench");
  if (!element) return;
  const config = readConfig(document);
  const t = translator(config.language);
  try {
    const { page, stream, signIn } = await boot(config, t);
    window.__workbench = {
      editor: page.editor,
      page,
      toScreen: (x, y) => {
        const rect = document.querySelector(".wb-canvas")?.getBoundingClientRect();
        const [left, top] = page.editor.camera.toScreen([x, y]);
        return { x: left + (rect?.left ?? 0), y: top + (rect?.top ?? 0) };
      },
    };
    const goTo = (taskId: string) => location.assign(`/tasks/${taskId}/`);
    const workbench = { page, config, t, goTo, bindings: withOverrides(readOverrides(localStorage)), signIn };
    createRoot(element).render(<App workbench={workbench} stream={stream} />);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) {
      location.assign(`${config.urls.login}?next=${encodeURIComponent(location.pathname)}`);
      return;
    }
    createRoot(element).render(
      <div className="wb-fatal" role="alert">
        <h1>{error instanceof Error ? error.message : String(error)}</h1>
        <p>
          <a href={location.href}>{t("picture.retry")}</a> ·{" "}
          <a href={config.urls.project}>{t("action.cancel")}</a>
        </p>
      </div>,
    );
  }
}

void main();
