import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMarkedProcessAlive, markOf } from './processes.ts';

const NAME = /^unfinished-(\d+)-(\d+|unknown)-/;

/** A new, empty folder in `parent` that says whose it is; it is to be renamed into place, or removed. */
export function makeUnfinishedFolder(parent: string): Promise<string> {
  const { pid, startedAt } = markOf(process.pid);
  return mkdtemp(join(parent, `unfinished-${pid}-${startedAt ?? 'unknown'}-`));
}

/** Removes what killed processes left in `parent`; those at work at this moment keep theirs. */
export async function removeAbandonedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, startedAt] = NAME.exec(name) ?? [];
    if (pid === undefined || startedAt === undefined) continue;
    const mark = { pid: Number(pid), startedAt: startedAt === 'unknown' ? null : startedAt };
    if (isMarkedProcessAlive(mark)) continue;
    // A program whose parent was killed may still be writing for a moment; the next start tries again.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
