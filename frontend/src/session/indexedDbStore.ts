import { type DBSchema, openDB } from "idb";
import { BACKUPS_PER_PICTURE, type Backup, type RecoveryRecord, type RecoveryStore } from "./recovery";

interface Schema extends DBSchema {
  records: { key: [string, string]; value: RecoveryRecord; indexes: { signature: string } };
  backups: { key: number; value: Backup; indexes: { signature: string } };
}

/** Recovery copies in IndexedDB. Raises when the browser gives no storage. */
export async function openIndexedDbStore(name = "countersign"): Promise<RecoveryStore> {
  const db = await openDB<Schema>(name, 1, {
    upgrade(database) {
      const records = database.createObjectStore("records", { keyPath: ["tabId", "signature"] });
      records.createIndex("signature", "signature");
      const backups = database.createObjectStore("backups", { autoIncrement: true });
      backups.createIndex("signature", "signature");
    },
  });
  return {
    load: async (tabId, signature) => (await db.get("records", [tabId, signature])) ?? null,
    save: async (record) => {
      const tx = db.transaction("records", "readwrite");
      const put = tx.store.put(record);
      // A page that goes away commits nothing by itself: without this its last copy would be rolled back.
      tx.commit();
      await Promise.all([put, tx.done]);
    },
    remove: (tabId, signature) => db.delete("records", [tabId, signature]),
    others: async (tabId, signature) =>
      (await db.getAllFromIndex("records", "signature", signature)).filter((r) => r.tabId !== tabId),
    addBackup: async (backup) => {
      // One transaction, so that two pages of one picture cannot both keep a twenty-first.
      const tx = db.transaction("backups", "readwrite");
      await tx.store.add(backup);
      const keys = await tx.store.index("signature").getAllKeys(backup.signature);
      for (const key of keys.slice(0, Math.max(0, keys.length - BACKUPS_PER_PICTURE))) {
        await tx.store.delete(key);
      }
      await tx.done;
    },
    backups: (signature) => db.getAllFromIndex("backups", "signature", signature),
  };
}
