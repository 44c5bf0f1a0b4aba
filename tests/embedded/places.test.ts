import { existsSync, statfsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EmbeddedPostgres, findEmbeddedPostgres } from 'latchkey/embedded';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseHome } from '../../src/embedded/choose-home.ts';
import { type ClusterHome, clusterHome, realDirectory } from '../../src/embedded/cluster-home.ts';
import { moveCluster } from '../../src/embedded/move-cluster.ts';
import { isRoot, Playground, readNotes, writeNote } from './support/project.ts';

const playground = new Playground();
afterEach(async () => {
  await playground.clean();
  vi.unstubAllEnvs();
});

describe('the data is stored in the folder', () => {
  it('even with special characters in its path (the default is .latchkey in the working directory)', async () => {
    const project = join(await playground.folder(), `a "b" 'c' $HOME \`id\` \\ d; ünï 日本 🔑`);
    await mkdir(project);
    const server = await playground.spawn({ cwd: project });
    const { url, dataDirectory } = await server.announcement;
    expect(dataDirectory).toBe(join(project, '.latchkey', 'postgres', 'data'));
    await writeNote(url, 'kept');
    await server.stop();
    const { url: urlAgain } = await playground.start({ directory: join(project, '.latchkey') });
    expect(await readNotes(urlAgain)).toEqual(['kept']);
  });

  it('with a path relative to the working directory', () => {
    expect(realDirectory('deeper/database')).toBe(join(process.cwd(), 'deeper/database'));
  });
});

describe('the data is stored in another folder', () => {
  it('if the path is too long for PostgreSQL (the reason is logged once)', async () => {
    vi.stubEnv('XDG_DATA_HOME', await playground.folder());
    const directory = join(await playground.folder(), 'very-long-name/'.repeat(100), '.latchkey');
    const { dataDirectory, lines } = await startTwice(directory);
    expect(dataDirectory.startsWith(directory)).toBe(false);
    expect(lines.filter((line) => line.includes('its path is too long'))).toHaveLength(1);
  });

  it('if the path contains a line break (each project has its own folder, even if two projects have the same name)', async () => {
    vi.stubEnv('XDG_DATA_HOME', await playground.folder());
    const projects = [await playground.folder(), await playground.folder()];
    const homes = await Promise.all(projects.map((project) => choose(join(project, 'an\napp', '.latchkey'))));
    expect(homes.map(({ root }) => root)).toEqual(
      Array(2).fill(expect.stringMatching(/\/an-app-[0-9a-f]{16}$/)),
    );
    expect(new Set(homes.map(({ root }) => root)).size).toBe(2);
  });

  it('if a file has the name of the folder (the file stays unchanged)', async () => {
    vi.stubEnv('XDG_DATA_HOME', await playground.folder());
    const directory = join(await playground.folder(), '.latchkey');
    await writeFile(directory, 'mine');
    expect((await choose(directory)).root.startsWith(directory)).toBe(false);
    expect(await readFile(directory, 'utf8')).toBe('mine');
  });
});

describe.skipIf(!isRoot)('if root starts the server,', () => {
  it('the data is stored in a folder that the system user can enter', async () => {
    const project = await playground.folder();
    await chmod(project, 0o700);
    const directory = join(project, '.latchkey');
    const lines: string[] = [];
    const { root } = await choose(directory, (line) => lines.push(line));
    expect(root).toMatch(/^\/var\/lib\/latchkey\/project-[0-9a-f]{16}$/);
    expect(lines).toEqual([expect.stringMatching(/the system user \w+ cannot enter it/)]);
    const record: unknown = JSON.parse(await readFile(join(directory, 'postgres.json'), 'utf8'));
    expect(record).toEqual({ directory, home: root });
  });

  it('a strict umask does not change the choice of the data folder', async () => {
    const directory = join(await playground.folder(), 'made by us', '.latchkey');
    const umask = process.umask(0o077);
    try {
      expect((await choose(directory)).root).toMatch(/^\/var\/lib\/latchkey\/made-by-us-/);
    } finally {
      process.umask(umask);
    }
  });

  it('an existing database is moved, and keeps its rows, if only root can enter the folder', async () => {
    const project = await playground.folder(anotherFileSystem());
    const directory = join(project, '.latchkey');
    const before = await playground.start({ directory });
    expect(before.dataDirectory.startsWith(project)).toBe(true);
    await writeNote(before.url, 'moved');
    await before.stop();
    await chmod(project, 0o700);
    const after = await startTwice(directory);
    expect(after.dataDirectory.startsWith('/var/lib/latchkey/')).toBe(true);
    expect(await readNotes(after.url)).toContain('moved');
    const password = await stat(join(dirname(after.dataDirectory), 'password'));
    expect([password.uid, password.mode & 0o777]).toEqual([0, 0o600]);
  });
});

it('moving a database within one file system is a rename', async () => {
  const [from, to] = [clusterHome(await playground.folder()), clusterHome(await playground.folder())];
  await mkdir(from.data);
  await writeFile(from.password, 'secret');
  const { ino } = await stat(from.data);
  await moveCluster(from, to, null);
  expect((await stat(to.data)).ino).toBe(ino);
  expect(await readFile(to.password, 'utf8')).toBe('secret');
});

/**
 * Returns the path of Linux’s in-memory file system. Returns undefined if this file system does not exist or is too
 * small for a database, as in many containers.
 */
function anotherFileSystem(): string | undefined {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 300e6 ? memory : undefined;
}

/** Starts a database twice. Checks that the database is found and keeps its folder and rows. */
async function startTwice(directory: string): Promise<EmbeddedPostgres & { lines: string[] }> {
  const lines: string[] = [];
  const options = { directory, log: (line: string) => lines.push(line) };
  const { url, dataDirectory, stop } = await playground.start(options);
  await writeNote(url, 'kept');
  expect(await findEmbeddedPostgres({ directory })).toMatchObject({ url, dataDirectory });
  await stop();
  const second = await playground.start(options);
  expect(second.dataDirectory).toBe(dataDirectory);
  expect(await readNotes(second.url)).toContain('kept');
  return { ...second, lines };
}

async function choose(directory: string, log: (line: string) => void = () => {}): Promise<ClusterHome> {
  const { home } = await chooseHome(directory, log);
  playground.forget(home.root);
  return home;
}
