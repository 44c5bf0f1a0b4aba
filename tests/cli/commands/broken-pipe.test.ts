import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commonEnv, expectNoStack, limits, program, startCommand } from './support/command.ts';

// For example, `head -1` closes the pipe in `latchkey completion bash | head -1`.
test('a command exits with 0 and without an error if the reading program closes the pipe', async () => {
  for (const words of [['--help'], ['completion', 'bash'], ['secret']]) {
    const running = startCommand(words);
    running.process.stdout?.destroy();
    const ended = await running.ended;
    expect([ended.exitCode, ended.stderr]).toEqual([0, '']);
    expectNoStack(ended);
  }
});

test('a command exits with 5 if no program reads its errors', async () => {
  const running = startCommand(['frobnicate']);
  running.process.stderr?.destroy();
  expect(await running.ended).toMatchObject({ exitCode: 5, stdout: '' });
});

test.runIf(existsSync('/dev/full'))(
  'a command exits with 5 and prints the reason if the disk is full',
  () => {
    const line = `exec '${process.execPath}' '${program}' secret > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8', env: commonEnv, ...limits });
    expect([status, stderr]).toEqual([5, expect.stringMatching(/^error: .*ENOSPC/)]);
  },
);

test('if DATABASE_URL contains an invalid percent-encoding, commands exit with 2 and name the variable', async () => {
  for (const line of ['users list', 'doctor']) {
    const { exitCode, stderr, stdout } = await startCommand(line.split(' '), {
      env: { DATABASE_URL: 'postgresql://a%zz:b@127.0.0.1:9/x' },
    }).ended;
    expect(exitCode).toBe(2);
    expect(`${stdout}${stderr}`).toContain('DATABASE_URL');
  }
});
