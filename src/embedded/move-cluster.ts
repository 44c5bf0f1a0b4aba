import { chown, copyFile, cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterHome } from './cluster-home.ts';
import { handOver } from './home-obstacle.ts';
import type { ServerAccount } from './run-program.ts';
import { makeUnfinishedFolder } from './unfinished-folders.ts';

/**
 * Moves a database whose folder PostgreSQL can no longer use (the project went under /root, say). The data come
 * last and by a rename, so that a kill on the way leaves the database where it was. Nothing may be running.
 */
export async function moveCluster(
  from: ClusterHome,
  to: ClusterHome,
  account: ServerAccount | null,
): Promise<void> {
  await copyFile(from.password, to.password);
  // A rename within one file system, which keeps owners; across two, or out of a read-only one, a copy.
  const renamed = await rename(from.data, to.data).then(
    () => true,
    () => false,
  );
  if (renamed) return;
  const workshop = await makeUnfinishedFolder(to.root);
  try {
    const data = join(workshop, 'data');
    await cp(from.data, data, { recursive: true, errorOnExist: true, force: false });
    if (account) await giveTree(data, account);
    await handOver(data, account);
    await rename(data, to.data);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  await rm(from.data, { recursive: true, force: true }).catch(() => undefined);
}

/** Makes every file below `folder` the account's; its own status as well. */
export async function giveTree(folder: string, account: ServerAccount): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await chown(folder, account.uid, account.gid);
}
