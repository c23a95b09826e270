import type { Tool } from "../../toolState";
import { idle } from "./idle";

export const area: Tool = { name: "area", idle };
