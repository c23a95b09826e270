import type { Tool } from "../../toolState";
import { idle } from "./idle";

export const polygon: Tool = { name: "polygon", idle };
