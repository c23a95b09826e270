import { useEffect, useState } from "react";
import type { Annotation } from "../api/types";
import { Observable } from "../observable";
import { useObservable } from "../useObservable";
import { usePageState, useWorkbench } from "./context";

/** What the stage lays under the present items: an earlier revision, up to a share of the picture's width. */
export const comparison = new Observable<{ revision: Annotation; share: number } | null>(null);

/** A slider over the last decided revision against this one. */
export function BeforeAfter() {
  const { page, t } = useWorkbench();
  const { task } = usePageState();
  const [revisions, setRevisions] = useState<Annotation[]>([]);
  const shown = useObservable(comparison);
  const current = task.annotation_revision ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is what brings another list.
  useEffect(() => {
    let open = true;
    page.deps.api.annotations(page.taskId).then(
      (reply) => open && setRevisions(reply.items),
      () => undefined,
    );
    return () => {
      open = false;
      comparison.set(null);
    };
  }, [page, current]);
  const before = revisions
    .filter((revision) => revision.revision < current)
    .sort((a, b) => b.revision - a.revision)[0];
  if (!before?.items) return null;
  return (
    <label className="wb-compare">
      <span>{t("review.compare", { before: before.revision, after: current })}</span>
      <input
        type="range"
        min={0}
        max={100}
        value={Math.round((shown?.share ?? 0) * 100)}
        onChange={(event) => {
          const share = Number(event.target.value) / 100;
          comparison.set(share > 0 ? { revision: before, share } : null);
        }}
      />
    </label>
  );
}
