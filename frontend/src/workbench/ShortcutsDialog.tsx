import { KEY_GROUPS } from "../editor/keymap";
import { commandKey, shown } from "../i18n/keyWords";
import { usePageState, useWorkbench } from "./context";
import { Dialog } from "./Dialog";

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
        {KEY_GROUPS.map((group) => (
          <section key={group}>
            <h3>{t(`shortcuts.${group}`)}</h3>
            <dl>
              {bindings
                .filter((binding) => binding.group === group)
                .map((binding) => (
                  <div key={binding.command}>
                    <dt>{t(commandKey(binding.command))}</dt>
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
      <div className="wb-row">
        <small className="wb-grow">{t("shortcuts.hint")}</small>
        <a className="wb-link" href="/settings/#keys">
          {t("shortcuts.change")}
        </a>
      </div>
    </Dialog>
  );
}
