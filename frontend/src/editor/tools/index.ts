import type { Tool, ToolName } from "../toolState";
import { area } from "./area";
import { box } from "./box";
import { pan } from "./pan";
import { point } from "./point";
import { polygon } from "./polygon";
import { select } from "./select";

export const tools: Record<ToolName, Tool> = { select, point, box, polygon, pan, area };
