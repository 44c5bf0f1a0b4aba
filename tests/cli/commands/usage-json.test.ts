import { expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

test.each([
  'frobnicate --json',
  'users --json',
  'users frobnicate --json',
  'users list --frobnicate --json',
  'users get --json',
  'users get ada grace --json',
])('`latchkey %s` reports the usage error as JSON', async (line) => {
  const { exitCode, stdout, stderr } = await runCommand(line);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', message: expect.any(String) } });
});

test.each([
  'users list --limit',
  'users list --query',
  'bootstrap --username',
  'audit export --output',
  'dev --port',
])('`latchkey %s` is rejected because the last flag has no value', async (line) => {
  const { exitCode, stdout } = await runCommand(line, {
    env: { DATABASE_URL: 'postgresql://127.0.0.1:9/x', SERVER_ADDR: ':1' },
  });
  expect([exitCode, stdout]).toEqual([2, '']);
});
