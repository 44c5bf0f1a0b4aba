import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { withExclusiveLock } from '../../src/embedded/exclusive-lock.ts';
import { turns } from '../support/turns.ts';
import { Playground } from './support/project.ts';

const playground = new Playground();
afterEach(() => playground.clean());

describe('withExclusiveLock', () => {
  it('runs only one caller at a time and leaves no file', async () => {
    const folder = await playground.folder();
    expect(await maxConcurrent(join(folder, 'lock'), 20)).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('releases the lock if the work fails', async () => {
    const path = join(await playground.folder(), 'lock');
    await expect(withExclusiveLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['the lock', ['lock']],
    ['the lock and the second lock, which a caller takes to break the first', ['lock', 'lock-break']],
  ])('runs only one caller at a time if a dead process holds %s', async (_, held) => {
    const folder = await playground.folder();
    const pid = await deadPid();
    for (const name of held) writeOwner(join(folder, name), { pid, startedAt: null, token: 'gone' });
    expect(await maxConcurrent(join(folder, 'lock'), 20)).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'breaks the lock of a dead process even if a later process has the same pid',
    async () => {
      const path = join(await playground.folder(), 'lock');
      writeOwner(path, { pid: process.pid, startedAt: '1', token: 'gone' });
      expect(await withExclusiveLock(path, async () => 'done')).toBe('done');
    },
  );

  it('breaks a lock whose file is empty, as it can be after a power failure', async () => {
    const path = join(await playground.folder(), 'lock');
    writeFileSync(path, '');
    expect(await withExclusiveLock(path, async () => 'done')).toBe('done');
  });
});

async function maxConcurrent(path: string, contenders: number): Promise<number> {
  let [inside, most] = [0, 0];
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await turns();
    inside -= 1;
  };
  await Promise.all(Array.from({ length: contenders }, () => withExclusiveLock(path, work)));
  return most;
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

function writeOwner(path: string, owner: { pid: number; startedAt: string | null; token: string }): void {
  writeFileSync(path, JSON.stringify(owner));
}
