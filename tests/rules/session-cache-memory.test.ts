import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../support/program-bundle.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram(
    'tests/rules/support/session-cache-program.ts',
    `session-cache-${process.pid}.mjs`,
  );
});
afterAll(() => rmSync(program, { force: true }));

// In its own process, because the heap of this process also contains the objects of other tests.
test('a full session cache does not grow when it reads other sessions', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program]);
  const { cached, grownBytes } = JSON.parse(stdout);
  expect(cached).toBe(20_000);
  // A session that stays in the index takes more than 300 bytes.
  expect(grownBytes).toBeLessThan(150);
});
