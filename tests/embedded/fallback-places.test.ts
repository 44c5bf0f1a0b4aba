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

describe('when the project’s folder is unsuitable', () => {
  it('an ordinary user gets XDG_DATA_HOME, then a temporary folder', () => {
    asUser(1000, { XDG_DATA_HOME: '/data', HOME: '/home/ada' });
    expect(fallbackPlaces()[0]).toBe('/data/latchkey');
    expect(fallbackPlaces()[1]).toBe(join(tmpdir(), 'latchkey-1000'));
  });

  it.each(['', 'relative'])('an XDG_DATA_HOME of "%s" is ignored for ~/.local/share', (value) => {
    asUser(1000, { XDG_DATA_HOME: value, HOME: '/home/ada' });
    expect(fallbackPlaces()[0]).toBe('/home/ada/.local/share/latchkey');
  });

  it('root gets /var/lib/latchkey, whatever HOME is', () => {
    asUser(0, { XDG_DATA_HOME: '/data', HOME: '/home/ada' });
    expect(fallbackPlaces()[0]).toBe('/var/lib/latchkey');
  });
});

describe('a place is not trusted', () => {
  it('when every user can write to it', async () => {
    const place = await playground.folder();
    await chmod(place, 0o777);
    expect(claimPlace(place)).toBe('other users can write to it');
  });

  it.skipIf(!isRoot)('when another user owns it', async () => {
    const place = await playground.folder();
    await chown(place, 65534, 65534);
    expect(claimPlace(place)).toBe('it belongs to another user');
  });

  it('when it is a link to another folder', async () => {
    const [place, elsewhere] = [join(await playground.folder(), 'link'), await playground.folder()];
    await symlink(elsewhere, place);
    expect(claimPlace(place)).toBe('it is not a folder');
  });

  it('when it cannot be created', async () => {
    const file = join(await playground.folder(), 'file');
    await writeFile(file, '');
    expect(claimPlace(join(file, 'latchkey'))).toBe('it cannot be created (ENOTDIR)');
  });
});

function asUser(uid: number, env: Record<string, string>): void {
  vi.spyOn(process, 'geteuid').mockReturnValue(uid);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}
