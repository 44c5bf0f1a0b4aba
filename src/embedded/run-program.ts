import { spawn } from 'node:child_process';
import { parse } from 'node:path';

/** The system account a program is run under; root alone can choose one. */
export type ServerAccount = { name: string; uid: number; gid: number };

type ProgramResult = {
  ok: boolean;
  /** stdout and stderr, interleaved, or why the program could not be started. */
  output: string;
  /** The errno name when the program could not be started at all. */
  spawnError: string | null;
};

/** The root of the file system: the one folder every account can enter. */
export const ANYONES_DIRECTORY = parse(process.execPath).root;

/** Runs a short-lived program without a shell, as `account` or as ourselves, and collects what it says. */
export function runProgram(
  program: string,
  parameters: string[],
  options: { account?: ServerAccount | null; milliseconds?: number } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      ...spawnAs(options.account ?? null),
      cwd: ANYONES_DIRECTORY,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // Not spawn's own limit, whose timer outlives a program that could not be started, and keeps us from ending.
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

/** libuv also drops root's supplementary groups when it changes the user. */
export function spawnAs(account: ServerAccount | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/**
 * Only what the programs need. The server's secrets (DATABASE_URL, JWT_SECRET) do not belong in the
 * environment of another account's process, and PGPORT or PGCLIENTENCODING would change PostgreSQL's mind.
 * LC_ALL=C keeps its messages English and, on macOS, the postmaster single-threaded.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA'];
  const entries = kept.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return { ...Object.fromEntries(entries), LC_ALL: 'C', TZ: 'UTC' };
}
