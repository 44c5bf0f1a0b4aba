import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMarkedProcessAlive, markOf } from './processes.ts';

const NAME = /^unfinished-(\d+)-(\d+|unknown)-/;

/** Creates an empty temporary folder. The name identifies this process. The caller must rename or remove the folder. */
export function makeUnfinishedFolder(parent: string): Promise<string> {
  const { pid, startedAt } = markOf(process.pid);
  return mkdtemp(join(parent, `unfinished-${pid}-${startedAt ?? 'unknown'}-`));
}

/** Removes the temporary folders in `parent` that dead processes have left. */
export async function removeAbandonedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, startedAt] = NAME.exec(name) ?? [];
    if (pid === undefined || startedAt === undefined) continue;
    const mark = { pid: Number(pid), startedAt: startedAt === 'unknown' ? null : startedAt };
    if (isMarkedProcessAlive(mark)) continue;
    // Ignores errors, because a child of the dead process can still be writing to the folder. The next start tries
    // again.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
