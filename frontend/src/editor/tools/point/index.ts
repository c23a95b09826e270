import type { Tool } from "../../toolState";
import { idle } from "./idle";

export const point: Tool = { name: "point", idle };
