import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { eventually } from './eventually.ts';
import { freePort } from './example-server.ts';
import { removeFolder } from './remove-folder.ts';

// Debian installs it in a folder that is only on root's PATH.
const programs = ['pgbouncer', '/usr/sbin/pgbouncer'];

/** A PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The database's URL through PgBouncer. */
  url: string;
  remove(): Promise<void>;
}

/** Returns the installed PgBouncer program, or null. Throws if there is none and CI=true. */
export function findPgBouncer(): string | null {
  for (const program of programs) {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
      return program;
    } catch {
      // Not installed at this path.
    }
  }
  if (process.env.CI === 'true') throw new Error('CI needs PgBouncer: apt-get install pgbouncer');
  process.stdout.write(
    'skipped: tests behind PgBouncer, because pgbouncer is not installed (apt-get install pgbouncer)\n',
  );
  return null;
}

/**
 * @param databaseUrl of a PostgreSQL database; PgBouncer opens at most two connections to it
 * @param settings extra lines for its configuration file
 */
export async function startPgBouncer(
  program: string,
  databaseUrl: string,
  settings: readonly string[] = [],
): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-pgbouncer-'));
  // When tests run as root, PgBouncer runs as another user, who must be able to read this folder.
  await chmod(directory, 0o755);
  const port = await freePort();
  const account = `user=${decodeURIComponent(target.username)} password=${decodeURIComponent(target.password)}`;
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} ${account}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
ignore_startup_parameters = extra_float_digits
${settings.join('\n')}
`,
  );
  const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const running: ChildProcess = spawn(program, [file], { stdio: 'ignore', ...unprivileged });
  const exit = once(running, 'exit');
  target.host = `127.0.0.1:${port}`;
  const url = target.href;
  await eventually(async () => {
    const client = postgres(url, { max: 1, fetch_types: false });
    try {
      await client.unsafe('select 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end({ timeout: 1 });
    }
  });
  return {
    url,
    async remove() {
      running.kill('SIGKILL');
      await exit;
      await removeFolder(directory);
    },
  };
}
