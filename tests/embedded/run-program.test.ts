import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runProgram } from '../../src/embedded/run-program.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a program and expects that the timer of its time limit is cleared. A timer would keep this process running. */
async function runAndExpectNoTimer(...parameters: Parameters<typeof runProgram>) {
  const started = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const running = runProgram(...parameters);
  const limit = started.mock.results.at(-1)?.value;
  expect(limit).toBeDefined();
  const result = await running;
  expect(cleared.mock.calls.map(([timer]) => timer)).toContain(limit);
  return result;
}

test('a program that cannot start leaves no timer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-program-'));
  const notExecutable = join(folder, 'program');
  writeFileSync(notExecutable, '');
  expect(await runAndExpectNoTimer(notExecutable, [])).toMatchObject({ ok: false, spawnError: 'EACCES' });
  rmSync(folder, { recursive: true });
});

test('a program that takes too long is killed and leaves no timer', async () => {
  const { ok } = await runAndExpectNoTimer('/bin/sh', ['-c', 'exec sleep 600'], { milliseconds: 50 });
  expect(ok).toBe(false);
});
