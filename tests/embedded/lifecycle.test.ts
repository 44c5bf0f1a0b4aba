import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findEmbeddedPostgres } from 'latchkey/embedded';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  isRoot,
  Playground,
  postmasterBirth,
  postmastersOn,
  query,
  readNotes,
  writeNote,
} from './support/project.ts';

const playground = new Playground();
let directory: string;
beforeAll(async () => {
  directory = join(await playground.folder(), '.latchkey');
});
afterEach(() => playground.stopAll());
afterAll(() => playground.clean());

describe('an embedded PostgreSQL', () => {
  it('is created once and keeps its rows after a restart', async () => {
    const lines: string[] = [];
    const first = await playground.start({ directory, log: (line) => lines.push(line) });
    expect(first.adopted).toBe(false);
    expect(lines).toEqual([
      expect.stringMatching(/^creating a PostgreSQL database in .*\.latchkey.postgres/),
    ]);
    await writeNote(first.url, 'kept');
    await first.stop();
    expect(postmastersOn(first.dataDirectory)).toEqual([]);

    const second = await playground.start({ directory, log: (line) => lines.push(line) });
    expect(lines).toHaveLength(1);
    expect(second).toMatchObject({ adopted: false, dataDirectory: first.dataDirectory });
    expect(await readNotes(second.url)).toEqual(['kept']);
    await second.stop();
  });

  it('keeps its URL after a restart', async () => {
    const first = await playground.start({ directory });
    await first.stop();
    const second = await playground.start({ directory });
    expect(second.url).toBe(first.url);
    await second.stop();
  });

  it('gets a port that no operating system uses for outgoing connections by default', async () => {
    const { url, stop } = await playground.start({ directory });
    const port = Number(new URL(url).port);
    expect(port).toBeGreaterThanOrEqual(30_000);
    expect(port).toBeLessThan(32_768);
    await stop();
  });

  it('listens only on 127.0.0.1, syncs to disk and uses UTF-8', async () => {
    const { superuserUrl, stop } = await playground.start({ directory });
    const names =
      "'listen_addresses', 'unix_socket_directories', 'fsync', 'server_encoding', 'max_connections'";
    const settings = await query(
      superuserUrl,
      `select name, setting from pg_settings where name in (${names})`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'on',
      server_encoding: 'UTF8',
      max_connections: '100',
    });
    await stop();
  });

  it('rejects a wrong password', async () => {
    const { url, stop } = await playground.start({ directory });
    const guess = new URL(url);
    guess.password = 'guess';
    await expect(query(guess.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await stop();
  });

  it('hides the password and the data from other system users', async () => {
    const { dataDirectory, stop } = await playground.start({ directory });
    const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    expect(await mode(join(dirname(dataDirectory), 'password'))).toBe(0o600);
    expect(await mode(dataDirectory)).toBe(0o700);
    // PostgreSQL does not run as root, and its files belong to the system user that runs PostgreSQL.
    if (isRoot) expect((await stat(dataDirectory)).uid).not.toBe(0);
    await stop();
  });

  it('is shared by two servers that use one folder, and runs until both servers have stopped', async () => {
    const first = await playground.start({ directory });
    const second = await playground.start({ directory });
    expect([first.adopted, second.adopted]).toEqual([false, true]);
    expect(second.url).toBe(first.url);
    await first.stop();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
    expect(postmastersOn(first.dataDirectory)).toEqual([]);
  });

  it('can be stopped more than once', async () => {
    const first = await playground.start({ directory });
    const second = await playground.start({ directory });
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
    await second.stop();
  });

  it('is running for a server that starts while the previous server stops', async () => {
    let last = await playground.start({ directory });
    for (let round = 0; round < 4; round += 1) {
      const stopping = last.stop();
      last = await playground.start({ directory });
      await stopping;
      expect(await query(last.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    }
    await last.stop();
  });

  it('is the same one if two servers spell the path of the folder differently', async () => {
    const first = await playground.start({ directory });
    const roundabout = await playground.start({ directory: join(directory, '..', '.latchkey', '.') });
    expect(await postmasterBirth(roundabout.url)).toBe(await postmasterBirth(first.url));
    await Promise.all([first.stop(), roundabout.stop()]);
  });
});

describe('findEmbeddedPostgres', () => {
  it('finds a running database and does not start a database', async () => {
    expect(await findEmbeddedPostgres({ directory })).toBeNull();
    const { url, ownerUrl, superuserUrl, dataDirectory, stop } = await playground.start({ directory });
    expect(await findEmbeddedPostgres({ directory })).toEqual({ url, ownerUrl, superuserUrl, dataDirectory });
    await stop();
    expect(await findEmbeddedPostgres({ directory })).toBeNull();
  });

  it('creates no folder if no database exists', async () => {
    const untouched = join(await playground.folder(), '.latchkey');
    expect(await findEmbeddedPostgres({ directory: untouched })).toBeNull();
    expect(existsSync(untouched)).toBe(false);
  });
});
