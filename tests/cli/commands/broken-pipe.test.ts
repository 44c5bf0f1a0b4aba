import { expect, test } from 'vitest';
import { expectNoStack, startCommand } from './support/command.ts';

// For example, `head -1` closes the pipe in `latchkey completion bash | head -1`.
test('a command exits without an error if the reading program closes the pipe', async () => {
  for (const words of [['--help'], ['completion', 'bash'], ['secret']]) {
    const running = startCommand(words);
    running.process.stdout?.destroy();
    const ended = await running.ended;
    expect(ended.stderr).toBe('');
    expectNoStack(ended);
  }
});

test('if DATABASE_URL contains an invalid percent-encoding, commands exit with 2 and name the variable', async () => {
  for (const line of ['users list', 'doctor']) {
    const { exitCode, stderr, stdout } = await startCommand(line.split(' '), {
      env: { DATABASE_URL: 'postgresql://a%zz:b@127.0.0.1:9/x' },
    }).ended;
    expect(exitCode).toBe(2);
    expect(`${stdout}${stderr}`).toContain('DATABASE_URL');
  }
});
