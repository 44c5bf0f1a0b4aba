import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { isSignedIn } from './support/current-session.ts';
import { logInByPassword, signUpWithPassword } from './support/passwords.ts';
import { createLink, generateCodes, useCode, useLink } from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

const options = { bcryptCost: 4 };
let service: TestService;
beforeAll(async () => {
  service = await startTestService(options);
});
afterAll(() => service.close());

const disable = (person: Person) => setStatus(service, person, 'disabled');
const deleteLink = (person: Person) =>
  service.database.sql`delete from latchkey.recovery_links where user_id = ${userIdOf(person)}`;

/** Prepares an authentication. `change` makes the last statement of the authentication change nothing. */
interface Way {
  prepare(person: Person): Promise<(browser: TestAgent) => Promise<Answer>>;
  change(person: Person): Promise<{ count: number }>;
}

const ways: [name: string, way: Way][] = [
  [
    'sign-in with a passkey',
    { prepare: async (person) => (browser) => logIn(browser, person.authenticator), change: disable },
  ],
  [
    'sign-in with a password',
    { prepare: async (person) => (browser) => logInByPassword(browser, person), change: disable },
  ],
  [
    'use of a recovery code',
    {
      prepare: async (person) => {
        const [code] = await generateCodes(person.browser);
        return (browser) => useCode(browser, person, code);
      },
      change: disable,
    },
  ],
  [
    'use of a recovery link',
    {
      prepare: async (person) => {
        const { token } = await createLink(service, person);
        return (browser) => useLink(browser, token);
      },
      change: deleteLink,
    },
  ],
];

test.each(ways)(
  'a %s that fails because of a concurrent change does not end the session of the browser',
  async (_, { prepare, change }) => {
    const { browser } = await signUp(service);
    const person = await signUpWithPassword(service);
    const authenticate = await prepare(person);
    const { answer, changed } = await meet(service, {
      act: (instance) => authenticate(instance.browser(browser.cookies)),
      before: /insert into latchkey\.sessions/,
      change: () => change(person),
      options,
    });
    expect(changed).toBe(1);
    expect(await reasonOfRefusal(service, answer)).toMatch(/^(concurrent_change|link_unknown_or_used)$/);
    expect(await isSignedIn(browser)).toBe(true);
  },
);
