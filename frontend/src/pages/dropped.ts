/** The files of a drop, those inside of dropped folders included, in the order of their names. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // The list is emptied as soon as the event handler returns: entries are taken before anything is awaited.
  const entries = [...transfer.items]
    .filter((item) => item.kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const found: File[] = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push(entry);
    else if (entry) found.push(...(await filesIn(entry)));
  }
  return found;
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return [
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    ];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const children: FileSystemEntry[] = [];
  // A reader gives at most a hundred entries at a time, and none when it is through.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    children.push(...some);
  }
  children.sort((one, other) => one.name.localeCompare(other.name));
  const files: File[] = [];
  for (const child of children) if (!child.name.startsWith(".")) files.push(...(await filesIn(child)));
  return files;
}
