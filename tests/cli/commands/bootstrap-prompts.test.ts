import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { countOf, password, superadminsOf } from './support/superadmin.ts';
import { findScript, startInTerminal } from './support/terminal.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Starts a bootstrap, and waits until the prompt for the password reads keys. */
async function startPrompt() {
  const prompt = startInTerminal(['bootstrap', '--username', 'ada'], {
    env: { DATABASE_URL: database.url, NO_COLOR: '1' },
  });
  await prompt.untilShown('› Password');
  prompt.type('x');
  await prompt.untilShown('•');
  prompt.type('\x7f');
  return prompt;
}

describe.runIf(findScript())('in a terminal, `latchkey bootstrap` asks for the password, and', () => {
  test('never shows it', async () => {
    const prompt = await startPrompt();
    prompt.type(password);
    await prompt.untilShown('•'.repeat(password.length));
    prompt.type('\r');
    await prompt.untilShown('› Repeat');
    prompt.type(password);
    await prompt.untilShown('✓ matches');
    prompt.type('\r');
    const { exitCode, output } = await prompt.ended;
    expect(output).toContain('ada is a superadmin.');
    for (const word of password.split(' ').filter(({ length }) => length > 2))
      expect(output).not.toContain(word);
    expect(exitCode).toBe(0);
    expect(await superadminsOf(database)).toEqual([{ username: 'ada', status: 'active', password: true }]);
  });

  test.each([
    ['Ctrl-C', '\x03'],
    ['Escape', '\x1b'],
  ])('creates nothing and exits with 5 after %s', async (_, key) => {
    const prompt = await startPrompt();
    prompt.type(key);
    const { exitCode, output } = await prompt.ended;
    expect(output).toContain('Canceled. No superadmin was created.');
    expect([exitCode, await countOf(database, 'users')]).toEqual([5, 0]);
  });
});
