import type { Clock } from "../clock";
import { type EditorDocument, same, withQuestion } from "./document";
import { type MergeResult, mergeDocuments } from "./merge";
import type { Backup, RecoveryRecord, RecoveryStore } from "./recovery";

/** What joining another page's copy into `working` makes of it. */
export function joinedWith(copy: RecoveryRecord, working: EditorDocument): MergeResult {
  const base = withQuestion(copy.base.document, working.config);
  return mergeDocuments(base, withQuestion(copy.working, working.config), working);
}

/** What this browser keeps of the picture beside the working copy. Without storage there is nothing of it. */
export class Copies {
  constructor(
    private readonly store: RecoveryStore,
    private readonly tabId: string,
    private readonly signature: string,
    private readonly clock: Clock,
  ) {}

  backup(reason: Backup["reason"], document: EditorDocument): Promise<void> {
    const entry = { signature: this.signature, savedAt: this.clock.now(), reason, document };
    return this.store.addBackup(entry).catch(() => undefined);
  }

  /** Earlier states of this picture, newest first. */
  async backups(): Promise<Backup[]> {
    const kept = await this.store.backups(this.signature).catch(() => []);
    return [...kept].sort((a, b) => b.savedAt - a.savedAt);
  }

  /**
   * Copies that other pages left and that would change `working`. One that would not (its last save got through
   * after all, or somebody did the same) has nothing to ask anybody, and goes.
   */
  async others(working: EditorDocument): Promise<RecoveryRecord[]> {
    const copies = await this.store.others(this.tabId, this.signature).catch(() => []);
    const useful: RecoveryRecord[] = [];
    for (const copy of copies) {
      const { document, conflicts } = joinedWith(copy, working);
      if (conflicts.length || !same(document, working)) useful.push(copy);
      else await this.remove(copy);
    }
    return useful;
  }

  async remove(copy: RecoveryRecord): Promise<void> {
    await this.store.remove(copy.tabId, copy.signature).catch(() => undefined);
  }
}
