import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isRoot, Playground, postmasterPid, readNotes, writeNote } from './support/project.ts';
import { type ServerProcess, serverBundle } from './support/server-process.ts';

/** The system user without privileges. Every system has this user, and root can start processes as this user. */
const nobody = { uid: 65534, gid: 65534 };

const playground = new Playground();
afterEach(() => playground.clean());

describe.skipIf(!isRoot || !(await nobodyCanRunTheServer()))('an ordinary user', () => {
  it('runs PostgreSQL under their own system user; PostgreSQL keeps this system user if root starts it later', async () => {
    const directory = join(await folderOfNobody(), '.latchkey');
    const server = await spawnAsNobody({ directory });
    const { url, dataDirectory } = await server.announcement;
    expect(dataDirectory).toBe(join(directory, 'postgres', 'data'));
    expect(uidOf(await postmasterPid(dataDirectory))).toBe(nobody.uid);
    await writeNote(url, 'by another account');
    await server.stop();

    const byRoot = await playground.start({ directory });
    expect(uidOf(await postmasterPid(byRoot.dataDirectory))).toBe(nobody.uid);
    expect(await readNotes(byRoot.url)).toEqual(['by another account']);
    await byRoot.stop();

    const again = await spawnAsNobody({ directory });
    expect(await readNotes((await again.announcement).url)).toEqual(['by another account']);
  });

  it('stores the data in XDG_DATA_HOME if the folder is not writable', async () => {
    const [project, dataHome] = [await playground.folder(), await folderOfNobody()];
    const options = { directory: join(project, '.latchkey'), env: { XDG_DATA_HOME: dataHome } };
    const server = await spawnAsNobody(options);
    const { url, dataDirectory, lines } = await server.announcement;
    expect(dataDirectory.startsWith(join(dataHome, 'latchkey', 'project-'))).toBe(true);
    expect(lines[0]).toContain('it cannot be written (EACCES)');
    await writeNote(url, 'kept');
    await server.kill();

    const next = await (await spawnAsNobody(options)).announcement;
    expect(next).toMatchObject({ url, adopted: true, dataDirectory });
    expect(await readNotes(next.url)).toEqual(['kept']);
  });

  it('receives an error if the database belongs to another system user', async () => {
    const directory = join(await playground.folder(), '.latchkey');
    await mkdir(join(directory, 'postgres', 'data'), { recursive: true });
    const server = await spawnAsNobody({ directory });
    await expect(server.announcement).rejects.toThrow(/belongs to another user of this system/);
  });
});

function spawnAsNobody(options: { directory: string; env?: NodeJS.ProcessEnv }): Promise<ServerProcess> {
  return playground.spawn({ ...nobody, ...options, env: { PATH: process.env.PATH, ...options.env } });
}

async function folderOfNobody(): Promise<string> {
  const folder = await playground.folder();
  await chown(folder, nobody.uid, nobody.gid);
  return folder;
}

/** Returns false if only root can read the repository. */
async function nobodyCanRunTheServer(): Promise<boolean> {
  if (!isRoot) return false;
  const read = ['-e', 'require("node:fs").readFileSync(process.argv[1])', await serverBundle()];
  return spawnSync(process.execPath, read, { ...nobody, cwd: '/' }).status === 0;
}

function uidOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
