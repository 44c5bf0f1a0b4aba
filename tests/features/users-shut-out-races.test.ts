import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { together } from '../support/many-requests.ts';
import { logIn, type Person, signUp } from '../support/person.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { disable, enable, endSessionsOf, signUpAs } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { whileInserting } from './support/held-insert.ts';
import { logInByPassword, signUpWithPassword } from './support/passwords.ts';
import {
  createLink,
  enterByCode,
  generateCodes,
  prepareCompletion,
  useCode,
  useLink,
} from './support/recovery.ts';

const options = { bcryptCost: 4 };
let service: TestService;
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService(options);
  second = await startSecondInstance(service, options);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, second));

type Enter = (browser: TestAgent) => Promise<Answer>;
/** Every way to open a session, prepared for a user. */
const ways: Record<string, (person: Person) => Promise<Enter>> = {
  'a sign-in with a passkey':
    async ({ authenticator }) =>
    (browser) =>
      logIn(browser, authenticator),
  'a sign-in with a password': async (person) => (browser) => logInByPassword(browser, person),
  'using a recovery code': async (person) => {
    const codes = await generateCodes(person.browser);
    return (browser) => useCode(browser, person, codes.pop());
  },
  'using a recovery link': async (person) => {
    const { token } = await createLink(service, person);
    return (browser) => useLink(browser, token);
  },
  'completing a recovery': async (person) => {
    const [code] = await generateCodes(person.browser);
    const recovering = await enterByCode(service, person, code);
    // Keeps the passkey, so that the user can still sign in with it, even if the recovery completes first.
    const kept = { keepPasskeys: [person.signedUp.body.passkey.id] };
    const finish = await prepareCompletion(recovering, kept);
    return (browser) => {
      for (const [name, value] of recovering.cookies) browser.cookies.set(name, value);
      return finish(browser);
    };
  },
};

/** Ways to end all sessions of a user. Afterward, the user can sign in again. */
const endings: Record<string, (person: Person) => Promise<unknown>> = {
  'the user is disabled and enabled again': async (person) => {
    expect((await disable(superadmin.browser, person)).status).toBe(200);
    expect((await enable(superadmin.browser, person)).status).toBe(200);
  },
  'a superadmin ends all sessions': async (person) => {
    expect((await endSessionsOf(superadmin.browser, person)).status).toBe(200);
  },
};

describe.each(Object.entries(ways))('%s', (_, prepare) => {
  test.each(Object.entries(endings))(
    'leaves no active session if, while the session is being stored, %s',
    async (_, end) => {
      const person = await signUpWithPassword(service);
      const enter = await prepare(person);
      const browser = service.browser();
      const answer = await whileInserting(
        service,
        'sessions',
        () => enter(browser),
        () => end(person),
      );
      expect([200, 201, 401]).toContain(answer.status);
      for (const agent of [browser, second.browser(browser.cookies)]) {
        expect(await isSignedIn(agent)).toBe(false);
      }
      expect((await logIn(browser, person.authenticator)).status).toBe(200);
      expect(await isSignedIn(browser)).toBe(true);
    },
  );

  test('fails if the user is disabled before the session is stored', async () => {
    const person = await signUpWithPassword(service);
    const enter = await prepare(person);
    let browser = service.browser();
    const { answer, changed } = await meet(service, {
      options,
      before: /insert into latchkey\.sessions/,
      change: async () => {
        expect((await disable(superadmin.browser, person)).status).toBe(200);
        return { count: 1 };
      },
      act: (instance) => {
        browser = instance.browser();
        return enter(browser);
      },
    });
    expect(changed).toBeGreaterThan(0);
    expect(answer.status).toBe(401);
    await enable(superadmin.browser, person);
    expect(await isSignedIn(service.browser())).toBe(false);
    expect(await isSignedIn(second.browser(browser.cookies))).toBe(false);
  });
});

describe('twenty concurrent sign-ins', () => {
  test.each(Object.entries(endings))(
    'while %s: no session is active after the sessions are ended once more',
    async (_, end) => {
      for (let round = 0; round < 2; round += 1) {
        const person = await signUp(service);
        const browsers = Array.from({ length: 20 }, (_, n) => (n % 2 ? second : service).browser());
        await together([
          ...browsers.slice(0, 10).map((browser) => () => logIn(browser, person.authenticator)),
          () => end(person),
          ...browsers.slice(10).map((browser) => () => logIn(browser, person.authenticator)),
        ]);
        // Sign-ins after the first `end` have valid sessions. The second call of `end` ends these sessions too.
        await end(person);
        for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
        expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
      }
    },
  );

  test('while the user is being disabled: no session is active, even after the user is enabled', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await signUp(service);
      const browsers = Array.from({ length: 20 }, (_, n) => (n % 2 ? second : service).browser());
      const entering = browsers.map((browser) => () => logIn(browser, person.authenticator));
      entering.splice(round * 7, 0, () => disable(superadmin.browser, person));
      await together(entering);
      await enable(superadmin.browser, person);
      for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
    }
  });
});
