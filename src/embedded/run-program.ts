import { spawn } from 'node:child_process';
import { parse } from 'node:path';

/** The system user that a program runs as. Only root can run a program as another system user. */
export type ServerAccount = { name: string; uid: number; gid: number };

type ProgramResult = {
  ok: boolean;
  /** The text on stdout and stderr, or the reason why the program did not start. */
  output: string;
  /** The name of the system error if the program did not start. */
  spawnError: string | null;
};

/** The root of the file system, which every system user can enter. */
export const ROOT_DIRECTORY = parse(process.execPath).root;

/** Runs a program without a shell, as `account` or as the current system user. Waits until the program has ended. */
export function runProgram(
  program: string,
  parameters: string[],
  options: { account?: ServerAccount | null; milliseconds?: number } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      ...spawnAs(options.account ?? null),
      cwd: ROOT_DIRECTORY,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // `spawn` has a `timeout` option, but its timer keeps this process running if the program does not start.
    const limit = setTimeout(() => child.kill('SIGKILL'), options.milliseconds ?? 30_000);
    const settle = (result: ProgramResult): void => {
      clearTimeout(limit);
      resolve(result);
    };
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error: NodeJS.ErrnoException) =>
      settle({ ok: false, output: error.message, spawnError: error.code ?? 'unknown' }),
    );
    child.on('close', (code) => settle({ ok: code === 0, output, spawnError: null }));
  });
}

/** Root's supplementary groups need no option, because libuv drops them when it changes the user. */
export function spawnAs(account: ServerAccount | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/**
 * Returns only the environment variables that the programs need. A process of another system user must not see the
 * application's secrets (DATABASE_URL, JWT_SECRET). Variables such as PGPORT would change PostgreSQL's settings.
 *
 * LC_ALL=C keeps PostgreSQL's messages in English. On macOS, a postmaster with another locale can become multithreaded,
 * and then does not start.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA'];
  const entries = kept.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return { ...Object.fromEntries(entries), LC_ALL: 'C', TZ: 'UTC' };
}
