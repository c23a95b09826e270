import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { usePageState, useWorkbench } from "./context";
import { Seal } from "./Icon";

export function TopBar() {
  const { page, config, t } = useWorkbench();
  const { task, watchers, me, queue } = usePageState();
  const lock = useObservable(page.lock.state);
  const others = watchers.filter((user) => String(user.id) !== String(me.id));
  const names = others.map((user) => user.name || user.username);
  const place = queue.findIndex((entry) => entry.id === task.id);
  const holdWords = config.hold
    ? t("lock.onHold", { by: config.hold.by?.name ?? "", reason: config.hold.reason })
    : "";
  const where = `${task.project.name} / ${task.batch.name}`;
  return (
    <header className="wb-top">
      <a className="wb-brand" href={config.urls.home}>
        <Seal />
        <span>Countersign</span>
      </a>
      <a className="wb-faint" href={config.urls.project} title={where}>
        {where}
      </a>
      <h1 className="wb-task-name" title={task.name}>
        {task.name}
      </h1>
      {place >= 0 && queue.length > 1 && (
        <span className="wb-tag">{t("top.place", { place: place + 1, total: queue.length })}</span>
      )}
      {config.hold && (
        <span className="wb-tag wb-tag-warn wb-clip" data-testid="on-hold" title={holdWords}>
          {holdWords}
        </span>
      )}
      <span className="wb-grow" />
      {lock.kind === "held" && <span className="wb-tag wb-tag-ok">● {t("top.youHold")}</span>}
      {(lock.kind === "other" || (lock.kind === "lost" && lock.lock)) && (
        <span className="wb-tag wb-tag-warn">
          {t("top.otherHolds", { name: lock.lock?.user.name || lock.lock?.user.username || "" })}
        </span>
      )}
      {names.length > 0 && (
        <span className="wb-tag" title={names.join(", ")}>
          {names.length === 1
            ? t("top.watching", { name: names[0] ?? "" })
            : t("top.watchingMany", { count: names.length })}
        </span>
      )}
      <Button
        label="top.shortcuts"
        kind="quiet"
        keys="?"
        onPress={() => page.state.patch({ dialog: "shortcuts" })}
      />
    </header>
  );
}
