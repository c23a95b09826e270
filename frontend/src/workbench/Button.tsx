import type { ReactNode } from "react";
import type { MessageKey } from "../i18n";
import { usePageState, useWorkbench } from "./context";
import { Icon, type IconName } from "./Icon";
import type { Why } from "./permissions";

interface Props {
  label: MessageKey;
  onPress: () => void;
  /** Why it cannot be pressed now; it stays reachable by keyboard, and says so. */
  why?: Why;
  /** The action whose progress this button shows. */
  action?: string;
  kind?: "primary" | "plain" | "quiet" | "danger";
  size?: "big" | "normal" | "small";
  icon?: IconName;
  keys?: string;
  grow?: boolean;
  /** A button that stays pressed. */
  pressed?: boolean;
  testId?: string;
  children?: ReactNode;
}

/** A button that is never dead without a reason: `aria-disabled` with the reason as its title. */
export function Button(props: Props) {
  const { t } = useWorkbench();
  const { busy } = usePageState();
  const mine = props.action !== undefined && busy === props.action;
  const why: Why = props.why ?? (busy !== null && props.action !== undefined && !mine ? "why.busy" : null);
  const dead = why !== null || mine;
  const classes = ["wb-btn", `wb-btn-${props.kind ?? "plain"}`, `wb-btn-${props.size ?? "normal"}`];
  if (props.grow) classes.push("wb-grow");
  return (
    <button
      type="button"
      className={classes.join(" ")}
      aria-disabled={dead}
      aria-busy={mine}
      aria-pressed={props.pressed}
      title={why ? t(why) : undefined}
      data-testid={props.testId}
      onClick={() => {
        if (!dead) props.onPress();
      }}
    >
      {props.icon && <Icon name={props.icon} size={16} />}
      <span>{mine ? t("action.working") : t(props.label)}</span>
      {props.children}
      {props.keys && <kbd>{props.keys}</kbd>}
    </button>
  );
}
