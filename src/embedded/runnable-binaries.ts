import { existsSync } from 'node:fs';
import { chmod, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { claimPlace, fallbackPlaces } from './fallback-places.ts';
import { errorSummary } from './file-errors.ts';
import { linkLibraries, makeExecutable } from './library-links.ts';
import type { PostgresBinaries } from './packaged-binaries.ts';
import { runProgram, type ServerAccount } from './run-program.ts';
import { makeUnfinishedFolder, removeAbandonedFolders } from './unfinished-folders.ts';

/** PostgreSQL limits paths to 1024 bytes (MAXPGPATH). The remaining bytes are for the paths inside the folder. */
const MAX_PATH_BYTES = 700;

/**
 * Returns the packaged PostgreSQL binaries. If `account` cannot run the binaries in their folder, returns a copy.
 *
 * @throws EmbeddedPostgresError `unsupported_platform` | `start_failed`
 */
export async function runnableBinaries(
  packaged: PostgresBinaries,
  account: ServerAccount | null,
  log: (line: string) => void,
  places: string[] = fallbackPlaces(),
): Promise<PostgresBinaries> {
  const obstacle = await binariesObstacle(packaged, account);
  if (obstacle === null) return packaged;
  const obstacles = [`${packaged.root}: ${obstacle}`];
  for (const place of places) {
    const copy = relocated(packaged, join(place, 'binaries', `postgres-${packaged.label}`));
    const unfit = pathObstacle(copy) ?? claimPlace(place) ?? claimPlace(dirname(copy.root));
    if (unfit === null && !existsSync(copy.root)) {
      log(
        `copying the PostgreSQL binaries to ${copy.root}, because ${packaged.root} is not usable: ${obstacle}`,
      );
    }
    const stillUnfit =
      unfit ?? (await copyBinaries(packaged, copy)) ?? (await binariesObstacle(copy, account));
    if (stillUnfit === null) return copy;
    obstacles.push(`${copy.root}: ${stillUnfit}`);
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `no folder is usable for the PostgreSQL binaries: ${obstacles.join('; ')}. ` +
      'Set DATABASE_URL to the URL of your own PostgreSQL.',
  );
}

/** Returns why `account` cannot run the binaries in their folder, or null. */
async function binariesObstacle(
  binaries: PostgresBinaries,
  account: ServerAccount | null,
): Promise<string | null> {
  const obstacle = pathObstacle(binaries);
  if (obstacle) return obstacle;
  try {
    await linkLibraries(binaries.root);
    await makeExecutable([binaries.initdb, binaries.postgres, binaries.pgCtl]);
  } catch (error) {
    return `its links and permissions cannot be corrected (${errorSummary(error)})`;
  }
  const version = await runProgram(binaries.postgres, ['--version'], { account });
  if (version.ok) return null;
  if (version.spawnError === 'ENOENT') throw wrongLibc(binaries);
  const who = account ? `the system user ${account.name}` : 'this user';
  return `${who} cannot run its programs (${version.output.trim()})`;
}

/**
 * Returns why the path of the binaries is not usable, or null. initdb puts the path in double quotes and passes it to a
 * shell. So the path must not contain characters that a shell interprets inside double quotes.
 */
function pathObstacle({ root }: PostgresBinaries): string | null {
  if (/["$`\\\r\n]/.test(root) && process.platform !== 'win32') {
    return 'its path has characters that a shell interprets';
  }
  return Buffer.byteLength(root) > MAX_PATH_BYTES ? 'its path is too long for PostgreSQL' : null;
}

/**
 * Copies the binaries to a temporary folder, then renames the folder, so that an existing copy is always complete.
 * Returns why the copy failed, or null.
 */
async function copyBinaries(from: PostgresBinaries, to: PostgresBinaries): Promise<string | null> {
  if (existsSync(to.root)) return null;
  try {
    await removeAbandonedFolders(dirname(to.root));
    const staging = await makeUnfinishedFolder(dirname(to.root));
    try {
      await cp(from.root, staging, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
      await makeReadableToAll(staging);
      // The rename fails if a concurrent start has created the copy.
      await rename(staging, to.root).catch(() => undefined);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    return `the PostgreSQL binaries cannot be copied to it (${errorSummary(error)})`;
  }
}

/**
 * Needed because a package manager with a strict umask installs files that only their owner can read.
 */
async function makeReadableToAll(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o444 | (await stat(path)).mode);
  }
  await chmod(folder, 0o755);
}

/** Static libraries are needed only for compiling. */
function isNeeded(source: string): boolean {
  return !source.endsWith('.a');
}

function relocated(binaries: PostgresBinaries, root: string): PostgresBinaries {
  const inside = (path: string): string => join(root, relative(binaries.root, path));
  return {
    root,
    initdb: inside(binaries.initdb),
    postgres: inside(binaries.postgres),
    pgCtl: inside(binaries.pgCtl),
    label: binaries.label,
  };
}

/** The program exists, but starting it fails with ENOENT, because its dynamic loader (part of glibc) is missing. */
function wrongLibc(binaries: PostgresBinaries): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `the PostgreSQL binaries in ${binaries.root} need glibc, which this system does not have (Alpine?). ` +
      'Set DATABASE_URL to the URL of your own PostgreSQL.',
  );
}
