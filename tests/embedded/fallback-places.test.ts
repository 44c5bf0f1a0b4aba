import { chmod, chown, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claimPlace, fallbackPlaces } from '../../src/embedded/fallback-places.ts';
import { isRoot, Playground } from './support/project.ts';

const playground = new Playground();
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await playground.clean();
});

describe('if the project’s folder is unsuitable, the data is stored', () => {
  it('in XDG_DATA_HOME for an ordinary user, or in a temporary folder if XDG_DATA_HOME is unsuitable, too', () => {
    asUser(1000, { XDG_DATA_HOME: '/data', HOME: '/home/ada' });
    expect(fallbackPlaces()[0]).toBe('/data/latchkey');
    expect(fallbackPlaces()[1]).toBe(join(tmpdir(), 'latchkey-1000'));
  });

  it.each(['', 'relative'])('in ~/.local/share if XDG_DATA_HOME is "%s"', (value) => {
    asUser(1000, { XDG_DATA_HOME: value, HOME: '/home/ada' });
    expect(fallbackPlaces()[0]).toBe('/home/ada/.local/share/latchkey');
  });

  it('in /var/lib/latchkey for root, even if HOME is set', () => {
    asUser(0, { XDG_DATA_HOME: '/data', HOME: '/home/ada' });
    expect(fallbackPlaces()[0]).toBe('/var/lib/latchkey');
  });
});

describe('a folder is not used for the data', () => {
  it('if every user can write to it', async () => {
    const place = await playground.folder();
    await chmod(place, 0o777);
    expect(claimPlace(place)).toBe('other users can write to it');
  });

  it.skipIf(!isRoot)('if another user owns it', async () => {
    const place = await playground.folder();
    await chown(place, 65534, 65534);
    expect(claimPlace(place)).toBe('it belongs to another user');
  });

  it('if it is a link to another folder', async () => {
    const [place, elsewhere] = [join(await playground.folder(), 'link'), await playground.folder()];
    await symlink(elsewhere, place);
    expect(claimPlace(place)).toBe('it is not a folder');
  });

  it('if it cannot be created', async () => {
    const file = join(await playground.folder(), 'file');
    await writeFile(file, '');
    expect(claimPlace(join(file, 'latchkey'))).toBe('it cannot be created (ENOTDIR)');
  });
});

function asUser(uid: number, env: Record<string, string>): void {
  vi.spyOn(process, 'geteuid').mockReturnValue(uid);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}
