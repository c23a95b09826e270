import type { Editable } from "../editor/editor";
import type { EditorDoc } from "../editor/editorDoc";
import type { PanelState } from "../panel/pausePanel";
import { type Situation, whyNoRun, whyReadOnly } from "./permissions";

/** What may be drawn in the shown document as things stand. */
export function editableIn(
  situation: Situation,
  doc: EditorDoc["name"],
  panel: PanelState | null,
  sending: boolean,
): Editable {
  const readOnly = whyReadOnly(situation) !== null || sending;
  return {
    readOnly,
    kinds: kindsIn(situation, doc, panel),
    areas: !readOnly && doc !== "panel" && whyNoRun(situation) === null,
  };
}

function kindsIn(situation: Situation, doc: EditorDoc["name"], panel: PanelState | null): Editable["kinds"] {
  // What the pause asks for, never what its status would suggest.
  if (doc === "panel") return panel?.actions.includes("DRAW_MANUAL_BOX") ? ["bbox"] : [];
  if (doc === "candidates") return ["bbox", "point"];
  return situation.page.editor.config.geometries;
}
