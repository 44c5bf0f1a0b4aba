import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../src/embedded/run-program.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a program that cannot start leaves no timer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-program-'));
  const notExecutable = join(folder, 'program');
  writeFileSync(notExecutable, '');
  const before = timers();
  expect(await runProgram(notExecutable, [])).toMatchObject({ ok: false, spawnError: 'EACCES' });
  expect(timers()).toBe(before);
  rmSync(folder, { recursive: true });
});

test('a program that takes too long is killed', async () => {
  const before = timers();
  const asked = performance.now();
  const { ok } = await runProgram('/bin/sh', ['-c', 'exec sleep 20'], { milliseconds: 50 });
  expect(ok).toBe(false);
  expect(performance.now() - asked).toBeLessThan(15_000);
  expect(timers()).toBe(before);
});
