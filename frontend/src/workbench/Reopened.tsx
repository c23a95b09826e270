import { usePageState, useWorkbench } from "./context";
import { reopeningOf } from "./permissions";

/** Finished work that was taken up again opens with the reason. */
export function Reopened() {
  const { t, config } = useWorkbench();
  const reopening = reopeningOf(usePageState());
  if (!reopening) return null;
  const time = new Date(reopening.at).toLocaleString(config.language, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
  });
  const name = reopening.by?.name || reopening.by?.username || "";
  return (
    <section className="wb-pins" aria-label={t("reopened.badge")} data-testid="reopened">
      <small>{t("reopened.by", { name, time })}</small>
      <p>{reopening.reason}</p>
    </section>
  );
}
