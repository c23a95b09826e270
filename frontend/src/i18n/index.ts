import { en } from "./en";
import { zhHans } from "./zh-hans";

export type MessageKey = keyof typeof en;
export type Params = Record<string, string | number>;
export type Translate = (key: MessageKey, params?: Params) => string;
export type Catalogue = Record<MessageKey, string>;

/**
 * The catalogue of a language tag. `{name}` is filled in; `{count|one|other}` chooses by the number
 * (`#` stands for it), in languages that tell one from many.
 */
export function translator(language: string): Translate {
  const catalogue: Catalogue = /^zh/i.test(language) ? zhHans : en;
  return (key, params = {}) =>
    catalogue[key].replace(
      /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
      (_match, name: string, one?: string, other?: string) => {
        const value = params[name] ?? "";
        if (one === undefined) return String(value);
        return (Number(value) === 1 ? one : (other ?? "")).replace("#", String(value));
      },
    );
}
