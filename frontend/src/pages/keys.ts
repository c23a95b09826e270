import { type CommandId, KEY_GROUPS, type KeyBinding, withOverrides } from "../editor/keymap";
import {
  chooseKey,
  type KeyOverrides,
  readOverrides,
  resetKey,
  storeOverrides,
} from "../editor/keyOverrides";
import { translator } from "../i18n";
import { commandKey, shown } from "../i18n/keyWords";
import { element } from "./elements";

/** `<div data-keys>`: the workbench's keys, each with a button that takes the next key pressed. */
export function startKeys(place: HTMLElement): void {
  new KeyTable(place).draw();
}

class KeyTable {
  readonly #t = translator(document.documentElement.lang);
  #overrides: KeyOverrides = readOverrides(localStorage);
  #waiting: CommandId | null = null;
  readonly #said = element("p", { class: "hint", role: "status" });
  readonly #tables = element("div", { class: "gap-10 md:columns-2" });

  constructor(place: HTMLElement) {
    const reset = element("button", { class: "btn btn-sm justify-self-start", type: "button" });
    reset.textContent = this.#t("keys.resetAll");
    reset.addEventListener("click", () => this.#keep({}));
    place.replaceChildren(this.#said, this.#tables, reset);
    // Before anything else on the page hears of it, and only while a new key is asked for.
    window.addEventListener("keydown", (event) => this.#pressed(event), { capture: true });
  }

  draw(focus?: CommandId): void {
    const bindings = withOverrides(this.#overrides);
    this.#tables.replaceChildren(
      ...KEY_GROUPS.map((group) => {
        const rows = bindings
          .filter((binding) => binding.group === group)
          .map((binding) => this.#row(binding));
        const heading = element("h3", { class: "mb-1 text-[13px] font-semibold text-ink-2" });
        heading.textContent = this.#t(`shortcuts.${group}`);
        return element(
          "section",
          { class: "mb-4 break-inside-avoid" },
          heading,
          element("dl", { class: "grid grid-cols-[minmax(0,1fr)] gap-1" }, ...rows),
        );
      }),
    );
    if (focus) this.#tables.querySelector<HTMLElement>(`[data-change="${focus}"]`)?.focus();
  }

  #row({ command, keys }: KeyBinding): HTMLElement {
    const name = this.#t(commandKey(command));
    const waits = this.#waiting === command;
    const change = element("button", {
      class: waits ? "btn btn-xs btn-primary" : "btn btn-xs",
      type: "button",
      "aria-label": waits ? this.#t("keys.press") : this.#t("keys.changeOf", { command: name }),
      "data-change": command,
    });
    change.textContent = this.#t(waits ? "keys.press" : "keys.change");
    change.addEventListener("click", () => this.#ask(waits ? null : command));
    const caps = keys.map((key) => element("kbd", { class: "kbd kbd-sm" }, shown(key)));
    const held = element(
      "dd",
      { class: "flex flex-none items-center gap-1.5" },
      ...(caps.length ? caps : [this.#t("keys.none")]),
      change,
    );
    if (this.#overrides[command]) {
      const reset = element("button", {
        class: "btn btn-ghost btn-xs",
        type: "button",
        "aria-label": this.#t("keys.resetOf", { command: name }),
      });
      reset.textContent = this.#t("keys.reset");
      reset.addEventListener("click", () => this.#keep(resetKey(this.#overrides, command), command));
      held.append(reset);
    }
    return element(
      "div",
      { class: "flex min-h-7 items-center gap-2" },
      element("dt", { class: "min-w-0 flex-1" }, name),
      held,
    );
  }

  #ask(command: CommandId | null): void {
    this.#waiting = command;
    this.#said.textContent = "";
    this.draw(command ?? undefined);
  }

  #pressed(event: KeyboardEvent): void {
    const command = this.#waiting;
    if (!command) return;
    const leaves = event.key === "Tab" || (event.key === "Escape" && command !== "cancel");
    if (event.key !== "Tab") {
      event.preventDefault();
      event.stopPropagation();
    }
    if (leaves) {
      this.#ask(null);
      return;
    }
    const choice = chooseKey(this.#overrides, command, event);
    if (choice.kind === "wait") return;
    if (choice.kind === "reserved") this.#said.textContent = this.#t("keys.reserved");
    else if (choice.kind === "taken") {
      const names = { key: pressedKey(event), command: this.#t(commandKey(choice.by)) };
      this.#said.textContent = this.#t("keys.taken", names);
    } else {
      this.#waiting = null;
      this.#keep(choice.overrides, command);
      const key = shown(choice.overrides[command]?.[0] ?? "");
      this.#said.textContent = this.#t("keys.set", { command: this.#t(commandKey(command)), key });
    }
  }

  #keep(overrides: KeyOverrides, focus?: CommandId): void {
    this.#overrides = overrides;
    storeOverrides(localStorage, overrides);
    this.#said.textContent = "";
    this.draw(focus);
  }
}

function pressedKey(event: KeyboardEvent): string {
  return event.key.length === 1 ? event.key.toUpperCase() : event.key;
}
