import { useEffect, useMemo } from "react";
import { usePicture } from "../canvas/usePicture";
import type { TaskStream } from "../stream/taskStream";
import { useObservable } from "../useObservable";
import { ConflictDialog } from "./ConflictDialog";
import { onKey } from "./commands";
import { type Workbench, WorkbenchContext } from "./context";
import { Footer } from "./Footer";
import { MarkDialog } from "./MarkDialog";
import { Notices } from "./Notices";
import { fetchAhead, LOOK_AGAIN_MS, likelyPictures } from "./nextPictures";
import { QuestionDialog } from "./QuestionDialog";
import { QueueStrip } from "./QueueStrip";
import { RecoveryDialog } from "./RecoveryDialog";
import { ShortcutsDialog } from "./ShortcutsDialog";
import { SidePanel } from "./SidePanel";
import { SignInDialog } from "./SignInDialog";
import { StageArea } from "./StageArea";
import { StateBar } from "./StateBar";
import { TopBar } from "./TopBar";

interface Props {
  workbench: Omit<Workbench, "image">;
  stream: TaskStream;
}

export function App({ workbench, stream }: Props) {
  const { page, goTo, bindings, config } = workbench;
  const state = useObservable(page.state);
  const { task } = state;
  const picture = usePicture(task.asset.image_url);
  const context = useMemo(() => ({ ...workbench, image: picture.image }), [workbench, picture.image]);

  // The next task's picture, once this one's is there: "confirm and next" then shows it at once.
  const ready = picture.state === "ready";
  // In review another task comes next; and the strip is there a little later than the picture.
  const leadsTo = `${task.status} ${state.submitOnConfirm || state.queue.length}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the answer depends on.
  useEffect(() => {
    if (!ready) return;
    const look = () => {
      if (document.visibilityState !== "visible") return;
      const url = config.urls.ahead;
      void likelyPictures({ page: page.state.get(), url, fetch: window.fetch.bind(window) }).then(fetchAhead);
    };
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [ready, leadsTo, page]);

  useEffect(() => {
    const focusLabelInput = () =>
      document.querySelector<HTMLInputElement>("[data-testid=label-input]")?.focus();
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (onKey({ page, goTo, bindings, focusLabelInput }, event)) event.preventDefault();
    };
    window.addEventListener("keydown", handle);
    return () => window.removeEventListener("keydown", handle);
  }, [page, goTo, bindings]);

  const panelOpen = useObservable(page.panel.state) !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the panel that folds takes its buttons' focus along.
  useEffect(() => {
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>(".wb-canvas")?.focus({ preventScroll: true });
    }
  }, [panelOpen]);

  return (
    <WorkbenchContext value={context}>
      <div className="wb">
        <TopBar />
        <StateBar />
        <QueueStrip />
        <StageArea picture={picture} />
        <SidePanel />
        <Footer stream={stream} />
        <Notices />
        <SignInDialog />
        <ConflictDialog />
        <RecoveryDialog />
        <QuestionDialog />
        <MarkDialog />
        <ShortcutsDialog />
      </div>
    </WorkbenchContext>
  );
}
