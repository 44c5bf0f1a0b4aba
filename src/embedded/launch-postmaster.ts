import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterHome } from './cluster-home.ts';
import { type Answer, askServer } from './connection.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findFreePort } from './free-port.ts';
import type { PostgresBinaries } from './packaged-binaries.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { waitUntil } from './processes.ts';
import { cleanEnvironment, ROOT_DIRECTORY, type ServerAccount, spawnAs } from './run-program.ts';

/** Long, because PostgreSQL must replay its write-ahead log after a crash. */
const START_TIMEOUT_MS = 120_000;

/** The child processes of a killed postmaster need a moment to exit. PostgreSQL does not start while they run. */
const MAX_WAIT_FOR_ORPHANS_MS = 20_000;

const PORT_WAS_TAKEN = /could not bind|could not create any TCP\/IP sockets/;
const ORPHANS_REMAIN = /pre-existing shared memory block/;

/**
 * Starts a postmaster (the main process of PostgreSQL) on the data directory, and waits until it accepts the password.
 *
 * @returns the port
 * @throws EmbeddedPostgresError `start_failed` with the last lines of PostgreSQL's log
 */
export async function launchPostmaster(
  home: ClusterHome,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  password: string,
): Promise<number> {
  const orphansDeadline = performance.now() + MAX_WAIT_FOR_ORPHANS_MS;
  for (let preferredPort = readLastPort(home), portsTried = 0; ; ) {
    const port = await findFreePort(preferredPort);
    const postmaster = spawnPostmaster(home, binaries, account, port);
    const answer = await waitForPostmaster(home, postmaster, port, password);
    if (answer === 'accepts') {
      writeLastPort(home, port);
      return port;
    }
    if (answer === 'wrong password') throw wrongPassword(home);
    const log = lastLogLines(home);
    if (PORT_WAS_TAKEN.test(log) && portsTried < 5) {
      preferredPort = null;
      portsTried += 1;
    } else if (ORPHANS_REMAIN.test(log) && performance.now() < orphansDeadline) await sleep(200);
    else throw startFailed(home, postmaster, log);
  }
}

type RunningChild = { process: ChildProcess; spawnError: Error | null };

/**
 * Starts the postmaster in its own process group (`detached`), so that Ctrl-C in the terminal reaches only the
 * application. The application then shuts PostgreSQL down.
 */
function spawnPostmaster(
  home: ClusterHome,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  port: number,
): RunningChild {
  const log = openNewLog(home);
  try {
    const child = spawn(binaries.postgres, ['-D', home.data, ...settings(port)], {
      ...spawnAs(account),
      cwd: ROOT_DIRECTORY,
      env: cleanEnvironment(),
      stdio: ['ignore', log, log],
      detached: true,
      windowsHide: true,
    });
    const running: RunningChild = { process: child, spawnError: null };
    child.once('error', (error) => {
      running.spawnError = error;
    });
    child.unref();
    return running;
  } finally {
    closeSync(log);
  }
}

/** Disables Unix sockets, because their paths have at most 107 bytes, and the path of the project can be longer. */
function settings(port: number): string[] {
  return [
    ['listen_addresses', '127.0.0.1'],
    ['port', String(port)],
    ['unix_socket_directories', ''],
    ['max_connections', '100'],
    ['logging_collector', 'off'],
    ['log_destination', 'stderr'],
    ['lc_messages', 'C'],
  ].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Waits until the postmaster accepts the password. Kills a postmaster that rejects the password or takes too long. */
async function waitForPostmaster(
  home: ClusterHome,
  child: RunningChild,
  port: number,
  password: string,
): Promise<Answer> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!hasEnded(child) && performance.now() < deadline) {
    const file = readPostmasterFile(home);
    if (file?.pid === child.process.pid && file?.isReady) {
      const answer = await askServer({ port, password }, file.dataDirectory);
      if (answer === 'accepts') return answer;
      if (answer === 'wrong password') {
        await killPostmaster(child);
        return answer;
      }
    }
    await sleep(20);
  }
  await killPostmaster(child);
  return 'unavailable';
}

/** SIGQUIT is PostgreSQL's immediate shutdown. The next start recovers committed data. */
async function killPostmaster(child: RunningChild): Promise<void> {
  if (!hasEnded(child)) child.process.kill('SIGQUIT');
  await waitUntil(() => hasEnded(child), 10_000);
}

function hasEnded({ process, spawnError }: RunningChild): boolean {
  return spawnError !== null || process.exitCode !== null || process.signalCode !== null;
}

function startFailed(home: ClusterHome, child: RunningChild, log: string): EmbeddedPostgresError {
  const failure = child.spawnError
    ? `could not be run: ${child.spawnError.message}`
    : `did not start. The log ${home.log} ends with:\n${log}`;
  return new EmbeddedPostgresError('start_failed', `the embedded PostgreSQL ${failure}`);
}

function wrongPassword(home: ClusterHome): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `the database in ${home.root} rejects the password in ${home.password}. Restore this file. To start with an empty ` +
      'database instead, rename the folder.',
  );
}

/** Keeps only the logs of this run and of the previous run. */
function openNewLog(home: ClusterHome): number {
  try {
    renameSync(home.log, `${home.log}.previous`);
  } catch {}
  return openSync(home.log, 'a', 0o600);
}

function lastLogLines(home: ClusterHome): string {
  return readFileSync(home.log, 'utf8').trim().split('\n').slice(-12).join('\n');
}

function readLastPort(home: ClusterHome): number | null {
  try {
    const port = Number(readFileSync(home.port, 'utf8'));
    return Number.isInteger(port) && port > 1023 && port < 65536 ? port : null;
  } catch {
    return null;
  }
}

/** The next start uses the same port, so that an application can reconnect after a crash of PostgreSQL. */
function writeLastPort(home: ClusterHome, port: number): void {
  const draft = `${home.port}-draft`;
  writeFileSync(draft, `${port}\n`);
  renameSync(draft, home.port);
}
