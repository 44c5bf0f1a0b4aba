import { open } from 'node:fs/promises';

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

/**
 * Returns the last checkpoint of each log in the file, in the order in which the logs were started. Empty: the file is
 * missing or has no checkpoint.
 */
export async function readLastCheckpoints(path: string): Promise<string[]> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return [];
  // A map keeps the order in which its keys were added.
  const notes = new Map<string, string>();
  let rest = '';
  try {
    for await (const chunk of file.createReadStream({ encoding: 'utf8', autoClose: false })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(add);
    }
    add(rest);
  } finally {
    await file.close();
  }
  return [...notes.values()];

  function add(line: string): void {
    const note = noteIn(line);
    if (note !== null) notes.set(originIn(note), note);
  }
}

/** Returns the origin of a checkpoint. Its signature is not verified. */
export const originIn = (note: string): string => note.slice(0, Math.max(0, note.indexOf('\n')));

function noteIn(line: string): string | null {
  try {
    const { note } = JSON.parse(line);
    return typeof note === 'string' ? note : null;
  } catch {
    return null;
  }
}
