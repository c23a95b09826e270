import type { Base, EditorDocument, Pending } from "./document";
import type { MergeConflict } from "./merge";

/** Which picture a copy belongs to: a copy whose signature differs is never loaded. */
export function signatureOf(task: {
  id: string;
  asset: { width: number; height: number; sha256: string };
}): string {
  return `${task.id}:${task.asset.width}x${task.asset.height}:${task.asset.sha256}`;
}

/** What one page knew, so that a crash or a reload loses nothing, not even a request without its reply. */
export interface RecoveryRecord {
  tabId: string;
  signature: string;
  base: Base;
  working: EditorDocument;
  pending: Pending | null;
  conflicts: MergeConflict[];
  savedAt: number;
}

export interface Backup {
  signature: string;
  savedAt: number;
  reason: "restore" | "conflict" | "lock_lost" | "refused" | "discarded";
  document: EditorDocument;
}

export const BACKUPS_PER_PICTURE = 20;

export interface RecoveryStore {
  load(tabId: string, signature: string): Promise<RecoveryRecord | null>;
  save(record: RecoveryRecord): Promise<void>;
  remove(tabId: string, signature: string): Promise<void>;
  /** Copies that other pages of this browser left for the same picture. */
  others(tabId: string, signature: string): Promise<RecoveryRecord[]>;
  addBackup(backup: Backup): Promise<void>;
  backups(signature: string): Promise<Backup[]>;
}

/** Works where the browser gives no storage (private windows); lives as long as the page. */
export function createMemoryStore(): RecoveryStore {
  const records = new Map<string, RecoveryRecord>();
  let backups: Backup[] = [];
  const key = (tabId: string, signature: string) => `${tabId} ${signature}`;
  return {
    load: async (tabId, signature) => structuredClone(records.get(key(tabId, signature)) ?? null),
    save: async (record) => {
      records.set(key(record.tabId, record.signature), structuredClone(record));
    },
    remove: async (tabId, signature) => {
      records.delete(key(tabId, signature));
    },
    others: async (tabId, signature) =>
      [...records.values()].filter((r) => r.signature === signature && r.tabId !== tabId),
    addBackup: async (backup) => {
      const kept = backups.filter((b) => b.signature === backup.signature).slice(1 - BACKUPS_PER_PICTURE);
      backups = [
        ...backups.filter((b) => b.signature !== backup.signature),
        ...kept,
        structuredClone(backup),
      ];
    },
    backups: async (signature) => backups.filter((b) => b.signature === signature),
  };
}
