import { expect, test } from 'vitest';
import { expectNoStack, startCommand } from './support/command.ts';

// This is what happens in `latchkey completion bash | head -1`.
test('a command exits without an error if the reading program closes the pipe', async () => {
  for (const words of [['--help'], ['completion', 'bash'], ['secret']]) {
    const running = startCommand(words);
    running.process.stdout?.destroy();
    const ended = await running.ended;
    expect(ended.stderr).toBe('');
    expectNoStack(ended);
  }
});

test('a DATABASE_URL whose username cannot be decoded is a configuration error with exit code 2', async () => {
  for (const line of ['users list', 'doctor']) {
    const { exitCode, stderr, stdout } = await startCommand(line.split(' '), {
      env: { DATABASE_URL: 'postgresql://a%zz:b@127.0.0.1:9/x' },
    }).ended;
    expect(exitCode).toBe(2);
    expect(`${stdout}${stderr}`).toContain('DATABASE_URL');
  }
});
