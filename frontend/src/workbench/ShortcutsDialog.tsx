import type { CommandId, KeyGroup } from "../editor/keymap";
import type { MessageKey } from "../i18n";
import { usePageState, useWorkbench } from "./context";
import { Dialog } from "./Dialog";

const GROUPS: KeyGroup[] = ["tools", "edit", "items", "view", "task"];
const SYMBOLS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "↵",
  Delete: "Del",
  Backspace: "⌫",
  Escape: "Esc",
};

export function ShortcutsDialog() {
  const { page, t, bindings } = useWorkbench();
  const { dialog } = usePageState();
  if (dialog !== "shortcuts") return null;
  return (
    <Dialog
      title={t("shortcuts.title")}
      wide
      testId="shortcuts"
      onClose={() => page.state.patch({ dialog: null })}
    >
      <div className="wb-shortcuts">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{t(`shortcuts.${group}`)}</h3>
            <dl>
              {bindings
                .filter((binding) => binding.group === group)
                .map((binding) => (
                  <div key={binding.command}>
                    <dt>{t(nameOf(binding.command))}</dt>
                    <dd>
                      {binding.keys.map((key) => (
                        <kbd key={key}>{shown(key)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <small>{t("shortcuts.hint")}</small>
    </Dialog>
  );
}

function nameOf(command: CommandId): MessageKey {
  return command.startsWith("tool.") ? (command as MessageKey) : (`command.${command}` as MessageKey);
}

export function shown(key: string): string {
  return key
    .split(/\+(?=.)/)
    .map((part) => SYMBOLS[part] ?? part)
    .join(" ");
}
