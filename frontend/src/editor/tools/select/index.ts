import type { Tool } from "../../toolState";
import { idle } from "./idle";

export const select: Tool = { name: "select", idle };
