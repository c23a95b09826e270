import { createContext, useContext, useMemo } from "react";
import type { Label } from "../api/types";
import type { Config } from "../config";
import type { KeyBinding } from "../editor/keymap";
import type { Translate } from "../i18n";
import type { PanelState } from "../panel/pausePanel";
import { useObservable } from "../useObservable";
import type { WorkbenchPage } from "./page";
import type { PageState } from "./pageState";
import type { Situation } from "./permissions";
import type { GoTo } from "./taskActions";

export interface Workbench {
  page: WorkbenchPage;
  config: Config;
  t: Translate;
  goTo: GoTo;
  bindings: readonly KeyBinding[];
  image: HTMLImageElement | null;
  signIn: (password: string) => Promise<boolean>;
}

export const WorkbenchContext = createContext<Workbench | null>(null);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (!workbench) throw new Error("This component belongs inside the workbench.");
  return workbench;
}

export function usePageState(): PageState {
  return useObservable(useWorkbench().page.state);
}

export function useLabels(): readonly Label[] {
  return usePageState().editor.config.labels;
}

/** The pause's panel once its boxes are on the stage: a gesture or a word being typed is finished first. */
export function usePanel(): PanelState | null {
  const { page } = useWorkbench();
  const panel = useObservable(page.panel.state);
  const doc = useObservable(page.editor.doc);
  return doc.name === "panel" ? panel : null;
}

/** What the permissions look at; a new object whenever a part of it changed. */
export function useSituation(): Situation {
  const { page } = useWorkbench();
  const state = useObservable(page.state);
  const lock = useObservable(page.lock.state);
  const session = useObservable(page.session.state);
  const panel = usePanel();
  const run = useObservable(page.runs.state);
  const shapes = useObservable(page.editor.shapes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page's own answer is made of.
  return useMemo(() => page.situation(), [state, lock, session, panel, run, shapes, page]);
}
