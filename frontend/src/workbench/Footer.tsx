import { shown } from "../i18n/keyWords";
import type { TaskStream } from "../stream/taskStream";
import { useObservable } from "../useObservable";
import { useWorkbench } from "./context";

export function Footer({ stream }: { stream: TaskStream }) {
  const { page, t, bindings, config } = useWorkbench();
  const panel = useObservable(page.panel.state);
  const line = useObservable(stream.state);
  const key = (command: string) =>
    shown(bindings.find((binding) => binding.command === command)?.keys[0] ?? "");
  const time = (text: string) =>
    new Date(text).toLocaleTimeString(config.language, {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  return (
    <footer className="wb-foot">
      <span>
        {t("foot.undo")} <kbd>{key("undo")}</kbd>
      </span>
      <span>
        {t("foot.label")} <kbd>{key("label.next")}</kbd>
      </span>
      <span>
        {t("foot.nudge")} <kbd>← ↑ ↓ →</kbd>
      </span>
      <span>
        {t("foot.zoom")} <kbd>{t("foot.wheel")}</kbd>
      </span>
      <span className="wb-grow" />
      {panel && <span>{t("foot.pauseSince", { time: time(panel.pause.created_at) })}</span>}
      <span className={line === "open" ? "wb-live" : "wb-live wb-live-off"}>
        {t(line === "open" ? "foot.live" : "foot.reconnecting")}
      </span>
    </footer>
  );
}
