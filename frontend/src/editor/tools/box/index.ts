import type { Tool } from "../../toolState";
import { idle } from "./idle";

export const box: Tool = { name: "box", idle };
