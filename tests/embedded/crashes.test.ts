import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findEmbeddedPostgres } from 'latchkey/embedded';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  Playground,
  postmasterBirth,
  postmasterPid,
  postmastersOn,
  processesWith,
  readNotes,
  writeNote,
} from './support/project.ts';

const playground = new Playground();
let project: string;
let directory: string;
beforeAll(async () => {
  project = await playground.folder();
  directory = join(project, '.latchkey');
  const { url, stop } = await playground.start({ directory });
  await writeNote(url, 'kept');
  await stop();
});
afterEach(() => playground.stopAll());
afterAll(() => playground.clean());

describe('a server process that is killed with SIGKILL', () => {
  it('leaves a running PostgreSQL, which the next server uses', async () => {
    const server = await playground.spawn({ directory });
    const { url, adopted } = await server.announcement;
    expect(adopted).toBe(false);
    const birth = await postmasterBirth(url);
    await server.kill();

    const next = await playground.start({ directory });
    expect(next).toMatchObject({ adopted: true, url });
    expect(await postmasterBirth(next.url)).toBe(birth);
    await next.stop();
    expect(postmastersOn(next.dataDirectory)).toEqual([]);
  });

  it('no longer counts as a user of PostgreSQL, so PostgreSQL stops when all other servers have stopped', async () => {
    const [killed, stopped] = [await playground.spawn({ directory }), await playground.spawn({ directory })];
    const { dataDirectory } = await killed.announcement;
    await stopped.announcement;
    await killed.kill();
    await stopped.stop();
    expect(postmastersOn(dataDirectory)).toEqual([]);
  });

  it('during initdb leaves no partial database, and the next start works', async () => {
    const fresh = join(await playground.folder(), '.latchkey');
    const home = join(fresh, 'postgres');
    const env = { ...process.env, SUSPEND_AT_INITDB: 'on' };
    const server = await playground.spawn({ directory: fresh, env });
    await eventually(async () => (await unfinishedIn(home)).some((files) => files.includes('base')));
    await server.kill();
    expect(await readdir(home)).not.toContain('data');

    const next = await playground.start({ directory: fresh });
    await writeNote(next.url, 'made');
    await next.stop();
    // The initdb of the killed server may still be running.
    await eventually(() => processesWith(home).length === 0);
    const again = await playground.start({ directory: fresh });
    expect(await readNotes(again.url)).toEqual(['made']);
    expect(await unfinishedIn(home)).toEqual([]);
    await again.stop();
  });
});

describe('a killed postmaster (the main process of PostgreSQL)', () => {
  it('is started again by the next server, on the same port and with its rows', async () => {
    const first = await playground.start({ directory });
    await writeNote(first.url, 'recovered');
    process.kill(await postmasterPid(first.dataDirectory), 'SIGKILL');

    const second = await playground.start({ directory });
    expect(second).toMatchObject({ adopted: false, url: first.url });
    expect(await readNotes(second.url)).toEqual(['kept', 'recovered']);
    await Promise.all([first.stop(), second.stop()]);
  });
});

describe('a killed postmaster that stays a zombie process because its parent process is suspended', () => {
  it('is started again by the next server', async () => {
    const server = await playground.spawn({ directory });
    const { dataDirectory } = await server.announcement;
    server.child.kill('SIGSTOP');
    try {
      process.kill(await postmasterPid(dataDirectory), 'SIGKILL');
      await expectToStart();
    } finally {
      server.child.kill('SIGCONT');
    }
  });
});

describe('a failing start', () => {
  it('reports the last log lines of PostgreSQL', async () => {
    await withContent(join('data', 'PG_VERSION'), '17\n', async () => {
      await expect(playground.start({ directory })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        code: 'start_failed',
        message: expect.stringMatching(
          /server\.log.*\n.*FATAL: {2}database files are incompatible with server/s,
        ),
      });
    });
    await expectToStart();
  });

  it('reports that the password file is wrong, and leaves no running process', async () => {
    await withContent('password', 'wrong\n', async () => {
      await expect(playground.start({ directory })).rejects.toMatchObject({
        code: 'start_failed',
        message: expect.stringMatching(/rejects the password in .*password/),
      });
      expect(postmastersOn(join(directory, 'postgres', 'data'))).toEqual([]);
    });
    await expectToStart();
  });

  /** Overwrites a file during `work` and then restores the content. The owner of the file stays the same. */
  async function withContent(name: string, content: string, work: () => Promise<void>): Promise<void> {
    const path = join(directory, 'postgres', name);
    const original = await readFile(path);
    await writeFile(path, content);
    await work();
    await writeFile(path, original);
  }
});

describe('an old postmaster.pid file', () => {
  it('of a dead process is ignored', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    await leavePostmasterFile(child.pid ?? 0);
    expect(await findEmbeddedPostgres({ directory })).toBeNull();
    await expectToStart();
  });

  it('with the pid of another live process is ignored', async () => {
    await leavePostmasterFile(process.pid);
    expect(await findEmbeddedPostgres({ directory })).toBeNull();
    await expectToStart();
  });

  it('in a copied project does not connect the copy to the original database', async () => {
    const original = await playground.start({ directory });
    const copy = `${project} copy`;
    await original.stop();
    await cp(project, copy, { recursive: true });
    const runningAgain = await playground.start({ directory });
    const file = await readFile(join(original.dataDirectory, 'postmaster.pid'));
    await writeFile(join(copy, '.latchkey', 'postgres', 'data', 'postmaster.pid'), file);

    const copied = await playground.start({ directory: join(copy, '.latchkey') });
    expect(copied.adopted).toBe(false);
    await writeNote(copied.url, 'in the copy');
    expect(await readNotes(runningAgain.url)).not.toContain('in the copy');
    await Promise.all([copied.stop(), runningAgain.stop()]);
  });

  async function leavePostmasterFile(pid: number): Promise<void> {
    const data = join(directory, 'postgres', 'data');
    const lines = [
      pid,
      data,
      Math.round(Date.now() / 1000),
      54321,
      '',
      '127.0.0.1',
      ' 12345 67890',
      'ready   ',
    ];
    const file = join(data, 'postmaster.pid');
    await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    const { uid, gid } = await stat(data);
    await chown(file, uid, gid);
  }
});

describe('a project that was moved', () => {
  it('keeps its database', async () => {
    const moved = `${project} moved`;
    await rename(project, moved);
    const { url, dataDirectory, stop } = await playground.start({ directory: join(moved, '.latchkey') });
    expect(dataDirectory.startsWith(moved)).toBe(true);
    expect(await readNotes(url)).toContain('kept');
    await stop();
    await rename(moved, project);
  });

  it('still uses its running database', async () => {
    const before = await playground.start({ directory });
    const moved = `${project} moved`;
    await rename(project, moved);
    const after = await playground.start({ directory: join(moved, '.latchkey') });
    expect(after).toMatchObject({ adopted: true, url: before.url });
    await after.stop();
    // The first caller started the database at the old path. The caller's URL still works after the move.
    expect(await readNotes(before.url)).toContain('kept');
    await rename(moved, project);
    await before.stop();
    expect(postmastersOn(before.dataDirectory)).toEqual([]);
  });
});

describe('five servers that start concurrently', () => {
  it('share one postmaster, which runs until the last server stops', async () => {
    const fresh = join(await playground.folder(), '.latchkey');
    const servers = await Promise.all(
      Array.from({ length: 5 }, () => playground.spawn({ directory: fresh })),
    );
    const announced = await Promise.all(servers.map((server) => server.announcement));
    const births = await Promise.all(announced.map(({ url }) => postmasterBirth(url)));
    expect(new Set(births).size).toBe(1);
    expect(announced.filter(({ adopted }) => !adopted)).toHaveLength(1);
    const dataDirectory = announced[0]?.dataDirectory ?? '';
    expect(postmastersOn(dataDirectory)).toHaveLength(1);
    expect(await readdir(join(dirname(dataDirectory), 'users'))).toHaveLength(5);

    await Promise.all(servers.map((server) => server.stop()));
    expect(postmastersOn(dataDirectory)).toEqual([]);
    expect(await readdir(join(dirname(dataDirectory), 'users'))).toEqual([]);
  });
});

async function expectToStart(): Promise<void> {
  const { url, adopted, stop } = await playground.start({ directory });
  expect(adopted).toBe(false);
  expect(await readNotes(url)).toContain('kept');
  await stop();
}

/** Returns the files in the data directory of each unfinished initdb. */
async function unfinishedIn(home: string): Promise<string[][]> {
  const names = await readdir(home).catch(() => []);
  const unfinished = names.filter((name) => name.startsWith('unfinished-'));
  return Promise.all(unfinished.map((name) => readdir(join(home, name, 'data')).catch(() => [])));
}
