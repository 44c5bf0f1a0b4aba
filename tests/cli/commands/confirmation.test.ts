import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { found, signUpAs } from '../../features/support/authority.ts';
import { newUsername, signUp, userIdOf } from '../../support/person.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { fourAtOnce, jsonOn } from './support/command.ts';
import { findScript, startInTerminal } from './support/terminal.ts';

let service: TestService;
let slug: string;
const json = jsonOn(() => service.database);
beforeAll(async () => {
  service = await startTestService();
  const { browser } = await signUpAs(service, 'admin');
  ({ slug } = await found(browser, { name: 'Engines' }));
});
afterAll(() => service.close());

const inTerminal = (line: string, env: Record<string, string> = {}, redirect?: string) =>
  startInTerminal(line.split(' '), { env: { DATABASE_URL: service.database.url, ...env } }, redirect);

/** Runs the command, and presses these keys at its question. */
async function answering(line: string, keys: string) {
  const running = inTerminal(line);
  await running.untilShown(' [y/N] ');
  running.type(keys);
  return running.ended;
}

const newUser = async () => {
  const person = await signUp(service, { username: newUsername('asked') });
  const read = async () => (await json(`users get ${person.username}`)).user;
  return { ...person, read };
};

const keys = { enter: '\r', ctrlC: '\x03', ctrlD: '\x04' };

describe.runIf(findScript())('in a terminal, a command that needs a confirmation', () => {
  test.each([
    ['Enter', keys.enter],
    ['"n"', 'n\r'],
    ['"no"', 'no\r'],
    ['a word that begins with "y"', 'yesterday\r'],
    ['a word that ends with "y"', 'by\r'],
    ['Ctrl-C', keys.ctrlC],
    ['Ctrl-D', keys.ctrlD],
  ])('changes nothing and exits with 5 after %s', async (_, typed) => {
    const { username, read } = await newUser();
    const before = await read();
    const { exitCode, output } = await answering(`users disable ${username}`, typed);
    expect(exitCode).toBe(5);
    expect(output).toContain(`Disable ${username} and end their sessions? [y/N] `);
    expect(output).toMatch(/\nCanceled\.\r\n$/);
    expect(await read()).toEqual(before);
  });

  test.each(['y', 'yes', 'Y', ' YES '])('runs and exits with 0 after "%s"', async (answer) => {
    const { username, read } = await newUser();
    const { exitCode, output } = await answering(`users disable ${username}`, `${answer}${keys.enter}`);
    expect([exitCode, (await read()).status]).toEqual([0, 'disabled']);
    expect(output).toContain(`${username} is disabled and cannot sign in.`);
  });

  test('changes nothing after Enter, for each command of users, invitations and organizations', async () => {
    const { username, browser, ...person } = await newUser();
    const outsider = await newUser();
    const { invitation } = await json('invitations create');
    const ofOrganization = (await json(`organizations invite ${slug}`)).invitation;
    const commands = [
      `users change-role ${username} admin`,
      `users end-sessions ${username}`,
      'users end-all-sessions',
      `users delete ${username}`,
      `users erase ${username}`,
      `invitations revoke ${invitation.id}`,
      `organizations revoke-invitation ${slug} ${ofOrganization.id}`,
      `organizations add-member ${slug} ${outsider.username}`,
      `organizations change-role ${slug} ${outsider.username} admin`,
      `organizations remove-member ${slug} ${outsider.username}`,
      `organizations delete ${slug}`,
    ];
    const ended = await fourAtOnce(commands, (line) => answering(line, keys.enter));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual(commands.map(() => 5));
    for (const { output } of ended) expect(output).toMatch(/\nCanceled\.\r\n$/);

    expect(await person.read()).toMatchObject({
      id: userIdOf(person),
      role: 'user',
    });
    expect((await browser.get('/auth/session')).status).toBe(200);
    expect((await json('invitations list')).invitations).toMatchObject([{ status: 'pending' }]);
    expect((await json(`organizations list-invitations ${slug}`)).invitations).toMatchObject([
      { status: 'pending' },
    ]);
    expect((await json(`users get ${outsider.username}`)).memberships).toEqual([]);
  });

  test('does not ask if --yes is given', async () => {
    const { username, read } = await newUser();
    const running = inTerminal(`users disable ${username} --yes`);
    running.type(keys.enter);
    const { exitCode, output } = await running.ended;
    expect([exitCode, (await read()).status]).toEqual([0, 'disabled']);
    expect(output).not.toContain('[y/N]');
  });

  test.each([
    ['with --json', ' --json', {}, ''],
    ['with CI=true', '', { CI: 'true' }, ''],
    ['if its input is a file', '', {}, '< /dev/null'],
    ['if its output is a file', '', {}, '> /dev/null'],
  ] as const)('does not ask %s, but needs --yes and exits with 2', async (_, flag, env, redirect) => {
    const { username, read } = await newUser();
    const running = inTerminal(`users disable ${username}${flag}`, env, redirect);
    // Answers a question that should not be asked, so that the test does not wait for its timeout.
    running.type(keys.enter);
    const { exitCode, output } = await running.ended;
    expect([exitCode, (await read()).status]).toEqual([2, 'active']);
    expect(output).toContain('Add --yes to confirm.');
  });
});
