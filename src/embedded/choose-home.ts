import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type ClusterHome, clusterHome, holdsCluster } from './cluster-home.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { claimPlace, fallbackPlaces } from './fallback-places.ts';
import { isGone } from './file-errors.ts';
import { homeObstacle } from './home-obstacle.ts';
import type { ServerAccount } from './run-program.ts';
import { accountForNewCluster, accountOfOwner, isRoot } from './server-account.ts';

export type ChosenHome = {
  home: ClusterHome;
  account: ServerAccount | null;
  /** The old folder of a database that must be moved. PostgreSQL can no longer use this folder. Null: no move. */
  moveFrom: ClusterHome | null;
};

/** The content of `<directory>/postgres.json`: the path of the directory, and the folder of its database. */
type HomeRecord = { directory: string; home: string };

/**
 * Chooses the folder for the database of `directory` (an absolute path). Prefers the folder of the existing database.
 * If no database exists, prefers a folder inside `directory`. If PostgreSQL cannot use the preferred folder, chooses a
 * folder in a fallback place (see `fallbackPlaces`).
 *
 * @throws EmbeddedPostgresError `start_failed` if the database belongs to another system user, or if no folder is
 *   usable
 */
export async function chooseHome(directory: string, log: (line: string) => void): Promise<ChosenHome> {
  const existing = findExistingHome(directory);
  const account = existing ? await accountOf(existing) : await accountForNewCluster();
  const preferred = existing ?? clusterHome(join(directory, 'postgres'));
  const obstacle = await homeObstacle(preferred.root, account);
  if (obstacle === null) {
    remember(directory, preferred);
    return { home: preferred, account, moveFrom: null };
  }
  const obstacles = [`${preferred.root}: ${obstacle}`];
  for (const place of fallbackPlaces()) {
    const home = clusterHome(join(place, homeName(directory)));
    const unfit = claimPlace(place) ?? (await homeObstacle(home.root, account));
    if (unfit === null) {
      log(`storing the database in ${home.root}, because ${preferred.root} is not usable: ${obstacle}`);
      remember(directory, home);
      return { home, account, moveFrom: existing && !holdsCluster(home) ? existing : null };
    }
    obstacles.push(`${home.root}: ${unfit}`);
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `no folder is usable for the embedded PostgreSQL: ${obstacles.join('; ')}. ` +
      'Pass a `directory` that this user can write to, or set DATABASE_URL to the URL of your own PostgreSQL.',
  );
}

/** Returns the folder that contains the database of `directory`, or null. Writes no file. */
export function findExistingHome(directory: string): ClusterHome | null {
  const recorded = readRecord(directory);
  const places = fallbackPlaces().map((place) => join(place, homeName(directory)));
  const roots = [...(recorded === null ? [] : [recorded.home]), join(directory, 'postgres'), ...places];
  return roots.map(clusterHome).find(holdsCluster) ?? null;
}

async function accountOf(existing: ClusterHome): Promise<ServerAccount | null> {
  const owner = statSync(existing.data);
  // A copy that root has created (`cp -r`, a container build) belongs to root. `prepareData` changes the owner.
  if (isRoot()) return owner.uid === 0 ? accountForNewCluster() : accountOfOwner(owner);
  if (process.platform === 'win32' || owner.uid === process.geteuid?.()) return null;
  throw new EmbeddedPostgresError(
    'start_failed',
    `the database in ${existing.root} belongs to another user of this system (uid ${owner.uid}). Start as this ` +
      'user, pass another `directory`, or set DATABASE_URL.',
  );
}

/** Returns the project's name and a hash of the path, so that two projects of the same name get different folders. */
function homeName(directory: string): string {
  const project = basename(directory) === '.latchkey' ? basename(dirname(directory)) : basename(directory);
  const name = project.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${name || 'root'}-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
}

/**
 * Reads the record (`postgres.json`) of a directory. Returns null if the record is missing or belongs to another
 * project.
 *
 * If the record contains another path that still exists, the project is a copy, and the record belongs to the original.
 * If this path no longer exists, the project was moved, and the record is valid.
 */
function readRecord(directory: string): HomeRecord | null {
  try {
    const record: Partial<HomeRecord> = JSON.parse(readFileSync(recordPath(directory), 'utf8'));
    const { directory: recordedFor, home } = record;
    if (typeof recordedFor !== 'string' || typeof home !== 'string') return null;
    return recordedFor === directory || isGone(recordedFor) ? { directory: recordedFor, home } : null;
  } catch {
    return null;
  }
}

/**
 * Writes the record. If `directory` is read-only, no record is needed: `findExistingHome` searches the fallback places.
 */
function remember(directory: string, home: ClusterHome): void {
  const recorded = readRecord(directory);
  if (recorded?.directory === directory && recorded.home === home.root) return;
  const record: HomeRecord = { directory, home: home.root };
  const draft = `${recordPath(directory)}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`);
    renameSync(draft, recordPath(directory));
  } catch {}
}

function recordPath(directory: string): string {
  return join(directory, 'postgres.json');
}
