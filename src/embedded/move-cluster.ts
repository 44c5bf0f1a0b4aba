import { chown, copyFile, cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterHome } from './cluster-home.ts';
import { handOver } from './home-obstacle.ts';
import type { ServerAccount } from './run-program.ts';
import { makeUnfinishedFolder } from './unfinished-folders.ts';

/**
 * Moves a database out of a folder that PostgreSQL can no longer use, for example after the project was moved to /root.
 * PostgreSQL must not be running. A rename puts the complete data directory in the new folder. If the process is killed
 * before the rename, the database is still in the old folder.
 */
export async function moveCluster(
  from: ClusterHome,
  to: ClusterHome,
  account: ServerAccount | null,
): Promise<void> {
  await copyFile(from.password, to.password);
  // A rename fails between two file systems and on a read-only file system. In these cases, the code below copies the
  // data.
  const renamed = await rename(from.data, to.data).then(
    () => true,
    () => false,
  );
  if (renamed) return;
  const staging = await makeUnfinishedFolder(to.root);
  try {
    const data = join(staging, 'data');
    await cp(from.data, data, { recursive: true, errorOnExist: true, force: false });
    if (account) await giveTree(data, account);
    await handOver(data, account);
    await rename(data, to.data);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  await rm(from.data, { recursive: true, force: true }).catch(() => undefined);
}

/** Changes the owner of `folder` and everything in it. */
export async function giveTree(folder: string, account: ServerAccount): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await chown(folder, account.uid, account.gid);
}
