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

/** See MAXPGPATH; the longest name below the folder (a time zone) is added to it. */
const LONGEST_PATH = 700;

/**
 * The packaged programs where they are, or a copy of them where `account` can run them.
 * @throws EmbeddedPostgresError `unsupported_platform`, `start_failed`.
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
      log(`copying the PostgreSQL programs to ${copy.root}: ${packaged.root} will not do, ${obstacle}`);
    }
    const stillUnfit =
      unfit ?? (await copyBinaries(packaged, copy)) ?? (await binariesObstacle(copy, account));
    if (stillUnfit === null) return copy;
    obstacles.push(`${copy.root}: ${stillUnfit}`);
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `the PostgreSQL of embedded-postgres cannot be run (${obstacles.join('; ')}). ` +
      'Set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** Why the programs cannot be run where they are, or null. */
async function binariesObstacle(
  binaries: PostgresBinaries,
  account: ServerAccount | null,
): Promise<string | null> {
  const unbearable = pathObstacle(binaries);
  if (unbearable) return unbearable;
  try {
    await linkLibraries(binaries.root);
    await makeExecutable([binaries.initdb, binaries.postgres, binaries.pgCtl]);
  } catch (error) {
    return `it is incomplete and cannot be completed there (${errorSummary(error)})`;
  }
  const version = await runProgram(binaries.postgres, ['--version'], { account });
  if (version.ok) return null;
  if (version.spawnError === 'ENOENT') throw wrongLibc(binaries);
  const who = account ? `the system user ${account.name}` : 'this user';
  return `${who} cannot run it (${version.output.trim()})`;
}

/** initdb hands the path of `postgres` to a shell, between double quotes. */
function pathObstacle({ root }: PostgresBinaries): string | null {
  if (/["$`\\\r\n]/.test(root) && process.platform !== 'win32') {
    return 'its path has characters a shell would change';
  }
  return Buffer.byteLength(root) > LONGEST_PATH ? 'its path is too long for PostgreSQL' : null;
}

/** Copies into a temporary folder and renames it; a copy that is there already is complete. */
async function copyBinaries(from: PostgresBinaries, to: PostgresBinaries): Promise<string | null> {
  if (existsSync(to.root)) return null;
  try {
    await removeAbandonedFolders(dirname(to.root));
    const workshop = await makeUnfinishedFolder(dirname(to.root));
    try {
      await cp(from.root, workshop, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
      await makeReadableToAll(workshop);
      // Somebody else's copy may have arrived first.
      await rename(workshop, to.root).catch(() => undefined);
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    return `it cannot be copied there (${errorSummary(error)})`;
  }
}

/** Installed under a strict umask, the originals are their owner's alone. */
async function makeReadableToAll(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o444 | (await stat(path)).mode);
  }
  await chmod(folder, 0o755);
}

/** Static libraries are for compilers. */
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

/** The file is there and the kernel finds no such file: what is missing is the loader it names. */
function wrongLibc(binaries: PostgresBinaries): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `the PostgreSQL binaries in ${binaries.root} are made for glibc, which this system does not have (Alpine?). ` +
      'Set DATABASE_URL to a PostgreSQL of your own.',
  );
}
