import type { enKeys } from "./enKeys";

/** 简体中文：更改快捷键的页面。 */
export const zhHansKeys: Record<keyof typeof enKeys, string> = {
  "keys.cancel": "保持不变",
  "keys.change": "更改",
  "keys.changeOf": "更改“{command}”的快捷键",
  "keys.none": "无",
  "keys.own": "已更改",
  "keys.press": "请按新的键…",
  "keys.reserved": "浏览器需要此键，请选择其他键。",
  "keys.reset": "重置",
  "keys.resetAll": "重置全部快捷键",
  "keys.resetOf": "重置“{command}”的快捷键",
  "keys.set": "“{command}”现在是 {key}。",
  "keys.taken": "{key} 已用于“{command}”。请选择其他键，或先更改那一项。",
};
