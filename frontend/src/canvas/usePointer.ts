import { type RefObject, useEffect } from "react";
import type { XY } from "../api/types";
import type { Editor } from "../editor/editor";
import type { PointerInput } from "../editor/toolState";

/** Connects the wrapper's pointer, wheel and double click to the editor. The middle button always pans. */
export function usePointer(
  target: RefObject<HTMLElement | null>,
  editor: Editor,
  onPin: ((x: number, y: number) => void) | null,
): void {
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    let panning: XY | null = null;
    const read = (event: MouseEvent): PointerInput => {
      const rect = element.getBoundingClientRect();
      const screen: XY = [event.clientX - rect.left, event.clientY - rect.top];
      return {
        at: editor.camera.toPicture(screen),
        screen,
        shift: event.shiftKey,
        ctrl: event.ctrlKey || event.metaKey,
        button: event.button,
      };
    };
    const listen = <K extends keyof HTMLElementEventMap>(
      type: K,
      handler: (event: HTMLElementEventMap[K]) => void,
      options?: AddEventListenerOptions,
    ) => {
      element.addEventListener(type, handler, options);
      return () => element.removeEventListener(type, handler, options);
    };
    const stops = [
      listen("pointerdown", (event) => {
        const input = read(event);
        element.setPointerCapture(event.pointerId);
        if (event.button === 1) {
          event.preventDefault();
          panning = input.screen;
        } else if (event.button === 0) {
          if (onPin) onPin(input.at[0], input.at[1]);
          else editor.down(input);
        }
      }),
      listen("pointermove", (event) => {
        const input = read(event);
        if (panning) {
          editor.camera.pan(input.screen[0] - panning[0], input.screen[1] - panning[1]);
          panning = input.screen;
        } else editor.move(input);
      }),
      listen("pointerup", (event) => {
        if (panning) panning = null;
        else if (event.button === 0 && !onPin) editor.up(read(event));
      }),
      listen("pointercancel", () => {
        panning = null;
        if (editor.toolState.get().busy) editor.cancel();
      }),
      listen("pointerleave", () => {
        editor.hover(null);
        if (!editor.toolState.get().busy) editor.crosshair.set(null);
      }),
      listen("dblclick", (event) => editor.doubleClick(read(event))),
      listen(
        "wheel",
        (event) => {
          event.preventDefault();
          const unit = event.deltaMode === 1 ? 16 : 1;
          if (event.shiftKey && !event.ctrlKey) editor.camera.pan(-(event.deltaX + event.deltaY) * unit, 0);
          else editor.camera.zoom(Math.exp(-event.deltaY * unit * 0.0016), read(event).screen);
        },
        { passive: false },
      ),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [target, editor, onPin]);
}
