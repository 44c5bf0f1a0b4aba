import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { secret } from '../../../support/test-service.ts';

const host = fileURLToPath(new URL('command-host.mjs', import.meta.url));
export const program = fileURLToPath(new URL('../../../../dist/cli/index.js', import.meta.url));

/** How a command ended. */
export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A command as a process of its own, without a terminal. */
export interface Running {
  process: ChildProcess;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}

export interface Surroundings {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Further arguments of Node itself. */
  node?: string[];
}

/** What every command of the tests finds in its environment, which has nothing else of ours. */
export const commonEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  JWT_SECRET: secret,
  BCRYPT_COST: '4',
};

/** Has neither a .env nor a .latchkey. */
const ownFolder = dirname(program);
/** One that never ends fails its test, and does not outlive it. */
const longest = { timeout: 25_000, killSignal: 'SIGKILL' } as const;

export function startCommand(words: readonly string[], surroundings: Surroundings = {}): Running {
  const { env = {}, cwd = ownFolder, node = [] } = surroundings;
  const child = spawn(process.execPath, [...node, program, ...words], {
    cwd,
    env: { ...commonEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...longest,
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
 * Runs a command to its end: in a process that no other command is in meanwhile, though others may have been before.
 * Where the process itself matters, `startCommand` gives it one of its own.
 *
 * @param line the words after `latchkey`, none of which has a blank in it
 */
export const runCommand = (line: string, surroundings: Surroundings = {}): Promise<Ended> =>
  surroundings.node
    ? startCommand(wordsOf(line), surroundings).ended
    : runHosted(wordsOf(line), surroundings);

const idleHosts: ChildProcess[] = [];

async function runHosted(
  words: readonly string[],
  { env = {}, cwd = ownFolder }: Surroundings,
): Promise<Ended> {
  const process = idleHosts.pop() ?? startHost();
  const tooLate = setTimeout(() => process.kill(longest.killSignal), longest.timeout);
  const ended = await new Promise<Ended>((resolve) => {
    process.once('message', (message) => resolve(message as Ended));
    process.once('exit', (exitCode, signal) => resolve({ exitCode, signal, stdout: '', stderr: '' }));
    process.send({ words, cwd, env: { ...commonEnv, ...env } });
  });
  clearTimeout(tooLate);
  process.removeAllListeners();
  if (process.connected) idleHosts.push(process);
  return ended;
}

/** It ends with the process of the tests, which it does not keep. */
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

/** Runs commands on a database. */
export const commandsOn =
  (database: () => { url: string }) =>
  (line: string, env: Record<string, string | undefined> = {}): Promise<Ended> =>
    runCommand(line, { env: { DATABASE_URL: database().url, ...env } });

/** Runs a command that must succeed, and reads what it prints with --json. */
export const jsonOn =
  (database: () => { url: string }) =>
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a shape of its own
  async (line: string, env?: Record<string, string>): Promise<any> => {
    const { exitCode, stdout, stderr } = await commandsOn(database)(`${line} --json`, env);
    if (exitCode !== 0) throw new Error(`latchkey ${line} exited with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  };

/** Folders that are removed when the tests of the file are over. */
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

/** Expects that nobody was shown the insides of the program. */
export function expectNoStack({ stdout, stderr }: Ended): void {
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .+[:(]/m);
  expect(stderr).not.toMatch(/node:internal|dist\/cli|\bUnhandled/);
}

/** Does the work for each, four at a time. */
export async function fourAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return results;
}
