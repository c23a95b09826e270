import type { Tool } from "../../toolState";
import { idle } from "./idle";

export const pan: Tool = { name: "pan", idle };
