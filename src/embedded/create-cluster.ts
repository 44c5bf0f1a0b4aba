import { randomBytes } from 'node:crypto';
import { chown, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterHome } from './cluster-home.ts';
import { SUPERUSER } from './connection.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './file-errors.ts';
import { handOver } from './home-obstacle.ts';
import type { PostgresBinaries } from './packaged-binaries.ts';
import { runProgram, type ServerAccount } from './run-program.ts';
import { makeUnfinishedFolder } from './unfinished-folders.ts';

const INITDB_TIMEOUT_MS = 300_000;

/**
 * Creates the database with initdb in a temporary folder, then renames the data directory to its final path. If the
 * process is killed, no incomplete data directory stays at this path. The caller must hold the home's lock.
 *
 * @throws EmbeddedPostgresError `start_failed` with the output of initdb
 */
export async function createCluster(
  home: ClusterHome,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
): Promise<void> {
  const password = await readOrMakePassword(home);
  const staging = await makeUnfinishedFolder(home.root);
  try {
    const passwordForInitdb = join(staging, 'password');
    await writeFile(passwordForInitdb, `${password}\n`, { mode: 0o600 });
    if (account) await chown(passwordForInitdb, account.uid, account.gid);
    await handOver(staging, account);
    const data = join(staging, 'data');
    const initdb = await runProgram(binaries.initdb, initdbParameters(data, passwordForInitdb), {
      account,
      milliseconds: INITDB_TIMEOUT_MS,
    });
    if (!initdb.ok) throw initdbFailed(initdb.output);
    await rename(data, home.data);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Uses PostgreSQL's built-in C.UTF-8 locale, which sorts text in the same way on every system. A locale of the
 * operating system can be missing, and can sort differently after an upgrade.
 */
function initdbParameters(data: string, passwordFile: string): string[] {
  return [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
}

async function readOrMakePassword(home: ClusterHome): Promise<string> {
  const existing = await readPassword(home);
  if (existing) return existing;
  const password = randomBytes(24).toString('base64url');
  const draft = `${home.password}-draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${password}\n`);
    // Writes the password to disk before the database exists, because a database without its password is lost.
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, home.password);
  return password;
}

/** Returns the superuser's password, or null if its file is missing, empty or unreadable. */
export async function readPassword(home: ClusterHome): Promise<string | null> {
  try {
    return (await readFile(home.password, 'utf8')).trim() || null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EACCES') return null;
    throw error;
  }
}

function initdbFailed(output: string): EmbeddedPostgresError {
  const lines = output.trim().split('\n').slice(-12).join('\n');
  return new EmbeddedPostgresError('start_failed', `initdb could not create the database:\n${lines}`);
}
