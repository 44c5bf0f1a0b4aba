import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { secret } from '../../../support/test-service.ts';
import { withoutTimeLimits } from '../../../support/without-time-limits.ts';

const host = fileURLToPath(new URL('command-host.mjs', import.meta.url));
export const program = fileURLToPath(new URL('../../../../dist/cli/index.js', import.meta.url));

/** The result of a command that has ended. */
export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A command that runs in its own process and without a terminal. */
export interface Running {
  process: ChildProcess;
  /** Returns the output so far. */
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}

export interface Surroundings {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Arguments for Node.js. */
  node?: string[];
}

/** The environment of all commands in the tests. They inherit no other variables. */
export const commonEnv = {
  PATH: process.env.PATH,
  ...withoutTimeLimits,
  HOME: process.env.HOME,
  JWT_SECRET: secret,
  BCRYPT_COST: '4',
};

/** A folder that contains neither .env nor .latchkey. */
const emptyFolder = dirname(program);
/** Kills a command that still hangs after its test has timed out. */
export const limits = { timeout: 180_000, killSignal: 'SIGKILL' } as const;

export function startCommand(words: readonly string[], surroundings: Surroundings = {}): Running {
  const { env = {}, cwd = emptyFolder, node = [] } = surroundings;
  const child = spawn(process.execPath, [...node, program, ...words], {
    cwd,
    env: { ...commonEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...limits,
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (written.stderr += text));
  return {
    process: child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    ended: new Promise((resolve) =>
      child.once('close', (exitCode, signal) => resolve({ exitCode, signal, ...written })),
    ),
  };
}

const wordsOf = (line: string): string[] => line.split(' ').filter(Boolean);

/**
 * Runs a command to its end in a host process, and reuses this process for later commands. Tests that need a process of
 * their own use `startCommand`.
 *
 * @param line the words after `latchkey`, separated by spaces
 */
export const runCommand = (line: string, surroundings: Surroundings = {}): Promise<Ended> =>
  surroundings.node
    ? startCommand(wordsOf(line), surroundings).ended
    : runHosted(wordsOf(line), surroundings);

const idleHosts: ChildProcess[] = [];

async function runHosted(
  words: readonly string[],
  { env = {}, cwd = emptyFolder }: Surroundings,
): Promise<Ended> {
  const process = idleHosts.pop() ?? startHost();
  const timer = setTimeout(() => process.kill(limits.killSignal), limits.timeout).unref();
  const ended = await new Promise<Ended>((resolve) => {
    process.once('message', (message) => resolve(message as Ended));
    process.once('exit', (exitCode, signal) => resolve({ exitCode, signal, stdout: '', stderr: '' }));
    process.send({ words, cwd, env: { ...commonEnv, ...env } });
  });
  clearTimeout(timer);
  process.removeAllListeners();
  if (process.connected) idleHosts.push(process);
  return ended;
}

/** Starts a host process. It ends with the test process and does not keep the test process running. */
function startHost(): ChildProcess {
  const process = fork(host, [program], {
    env: commonEnv,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  process.unref();
  process.channel?.unref();
  return process;
}

/** Returns a function that runs commands on this database. */
export const commandsOn =
  (database: () => { url: string }) =>
  (line: string, env: Record<string, string | undefined> = {}): Promise<Ended> =>
    runCommand(line, { env: { DATABASE_URL: database().url, ...env } });

/** Runs a command with --json. The command must succeed. Returns the JSON that the command prints. */
export const jsonOn =
  (database: () => { url: string }) =>
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a different shape
  async (line: string, env?: Record<string, string>): Promise<any> => {
    const { exitCode, stdout, stderr } = await commandsOn(database)(`${line} --json`, env);
    if (exitCode !== 0) throw new Error(`latchkey ${line} exited with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  };

/** Creates folders that are removed after the tests of the file. */
export function temporaryFolders(): () => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-command-'));
    folders.push(folder);
    return folder;
  };
}

export const untilWritten = (running: Running, text: string): Promise<void> =>
  eventually(() => `${running.stdout()}${running.stderr()}`.includes(text));

/** Expects no stack traces and no internal names in the output. */
export function expectNoStack({ stdout, stderr }: Ended): void {
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .+[:(]/m);
  expect(stderr).not.toMatch(/node:internal|dist\/cli|\bUnhandled/);
}

/** Runs `work` for each item, four at a time. */
export async function fourAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return results;
}
