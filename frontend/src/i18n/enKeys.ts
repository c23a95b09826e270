/** English: the page where a person changes their keys. */
export const enKeys = {
  "keys.cancel": "Keep it as it is",
  "keys.change": "Change",
  "keys.changeOf": "Change the key of “{command}”",
  "keys.none": "none",
  "keys.own": "changed",
  "keys.press": "Press the new key…",
  "keys.reserved": "The browser needs this key. Choose another.",
  "keys.reset": "Reset",
  "keys.resetAll": "Reset all keys",
  "keys.resetOf": "Reset the key of “{command}”",
  "keys.set": "“{command}” is on {key} now.",
  "keys.taken": "{key} is “{command}” already. Choose another, or change that one first.",
} as const;
