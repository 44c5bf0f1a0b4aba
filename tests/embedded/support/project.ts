import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from 'latchkey/embedded';
import postgres from 'postgres';
import { vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type ServerOptions, type ServerProcess, spawnServer } from './server-process.ts';

// Creating a database takes two seconds of CPU time, and the machine may be overloaded.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

export const isRoot = process.geteuid?.() === 0;

/** The folders, databases and processes of a test. They are removed even if the test fails. */
export class Playground {
  private readonly folders = new Set<string>();
  private readonly homes = new Set<string>();
  private readonly running: { stop(): Promise<void> }[] = [];

  /** Creates a folder that every system user can enter. */
  async folder(parent: string = tmpdir()): Promise<string> {
    const folder = await mkdtemp(join(parent, 'latchkey-embedded-'));
    this.folders.add(folder);
    await mkdir(join(folder, 'project'), { mode: 0o755 });
    await chmod(folder, 0o755);
    return join(folder, 'project');
  }

  /** Registers a database folder for removal. `start` and `spawn` register their folders themselves. */
  forget(home: string): void {
    this.homes.add(home);
  }

  async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const database = await startEmbeddedPostgres(options);
    this.running.push(database);
    this.homes.add(dirname(database.dataDirectory));
    return database;
  }

  async spawn(options: ServerOptions): Promise<ServerProcess> {
    const server = await spawnServer(options);
    this.running.push(server);
    void server.announcement
      .then(({ dataDirectory }) => this.homes.add(dirname(dataDirectory)))
      .catch(() => {});
    return server;
  }

  /** Stops everything that a test started, so a failing test does not affect the next test. */
  async stopAll(): Promise<void> {
    await Promise.allSettled(this.running.splice(0).map((each) => each.stop()));
  }

  async clean(): Promise<void> {
    await this.stopAll();
    for (const home of this.homes) {
      for (const pid of postmastersOn(join(home, 'data'))) process.kill(pid, 'SIGQUIT');
      await eventually(() => postmastersOn(join(home, 'data')).length === 0);
      await rm(home, { recursive: true, force: true });
      // Removes the parent folder if it is empty.
      await rmdir(dirname(home)).catch(() => undefined);
    }
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    this.homes.clear();
    this.folders.clear();
  }
}

export async function query<Row = Record<string, unknown>>(url: string, statement: string): Promise<Row[]> {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await client.unsafe<(Row & Record<string, unknown>)[]>(statement))];
  } finally {
    await client.end({ timeout: 1 });
  }
}

export async function writeNote(url: string, note: string): Promise<void> {
  await query(url, `create table if not exists notes (note text); insert into notes values ('${note}')`);
}

export async function readNotes(url: string): Promise<string[]> {
  return (await query<{ note: string }>(url, 'select note from notes order by note')).map(({ note }) => note);
}

/** Returns the start time of the postmaster. The start time identifies the postmaster. */
export async function postmasterBirth(url: string): Promise<string> {
  const [row] = await query<{ birth: string }>(url, 'select pg_postmaster_start_time()::text as birth');
  return row?.birth ?? '';
}

export async function postmasterPid(dataDirectory: string): Promise<number> {
  return Number((await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Returns the process ids of all running postmasters on this data directory. */
export const postmastersOn = (dataDirectory: string): number[] => processesWith(`\0-D\0${dataDirectory}\0`);

/** Returns the process ids of all running processes whose command line contains this text. */
export function processesWith(text: string): number[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(text))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
