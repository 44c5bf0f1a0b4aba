import { open } from 'node:fs/promises';

/** How many bytes at the end of the file are read. A line has about 400. */
const tailBytes = 65_536;

/** Appends a checkpoint to a file as a line of JSON, and waits until it is on the disk. */
export async function appendCheckpoint(path: string, note: string, at: Date): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(`${JSON.stringify({ at: at.toISOString(), note })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns the last checkpoint in the file. Null: the file is missing or has none. */
export async function readLastCheckpoint(path: string): Promise<string | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    await file.read(bytes, 0, bytes.length, size - bytes.length);
    for (const line of bytes.toString().split('\n').reverse()) {
      const note = noteIn(line);
      if (note !== null) return note;
    }
    return null;
  } finally {
    await file.close();
  }
}

function noteIn(line: string): string | null {
  try {
    const { note } = JSON.parse(line);
    return typeof note === 'string' ? note : null;
  } catch {
    return null;
  }
}
