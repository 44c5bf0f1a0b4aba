import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeRecovery, generateCodes } from '../features/support/recovery.ts';
import { type Answer, createAgent, type TestAgent } from '../support/agent.ts';
import { limitedServices } from '../support/limited-services.ts';
import { inTurn, statuses } from '../support/many-requests.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp, stepUp } from '../support/person.ts';
import { randomBytesOf } from '../support/random.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';
import {
  guessPassword,
  logInByPassword,
  password,
  setPassword,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  useCode,
} from './support/guesses.ts';

const newSecret = randomBytesOf('http/device-cookie')(32).toString('base64');
const https = 'https://example.com';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

const limits = limitedServices();

/** Starts a service in which strangers can use up the budget of a username with one guess. */
const start = (options = {}): Promise<ServiceOn> =>
  limits.start(service, {
    rateLimits: { password: { account: { max: 1, seconds: 900 } } },
    trustedProxies: 1,
    bcryptCost: 4,
    ...options,
  });

/** The lines of Set-Cookie that set a device cookie. */
const deviceCookies = ({ headers }: Answer): string[] =>
  headers.getSetCookie().filter((line) => line.includes('latchkey-device='));

/** Whether the browser has a budget of its own for this username. Uses up the budget of the username. */
async function isKnown(instance: ServiceOn, person: Person, browser: TestAgent): Promise<boolean> {
  await guessPassword(instance, person);
  return (await logInByPassword(instance.browser(browser.cookies), person)).status === 200;
}

describe.each([
  [https, '__Host-latchkey-device', '; Secure'],
  [origin, 'latchkey-device', ''],
])('with the origin %s', (pages, name, secure) => {
  test('the device cookie has the attributes of the session cookie, and expires after a year', async () => {
    const rpId = new URL(pages).hostname;
    const instance = await start({ origins: pages, rpId, secret: newSecret, bcryptCost: 10 });
    const browser = createAgent(instance.url, pages);
    const { signedUp } = await signUp(instance, {
      browser,
      authenticator: newAuthenticator({ origin: pages }),
    });
    const [cookie = ''] = deviceCookies(signedUp);
    const [pair, ...attributes] = cookie.split('; ');
    expect(pair).toMatch(new RegExp(`^${name}=[\\w-]{80,200}$`));
    expect(attributes.join('; ')).toBe(`Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=31536000`);
  });
});

describe('the device cookie', () => {
  test('is set by every act that proves the identity of the user, and by no other act', async () => {
    const instance = await start();
    const person = await signUpWithPassword(instance);
    const { browser, authenticator } = person;
    const codes = await generateCodes(browser);
    const recovering = instance.browser();
    const setting = {
      'sign-up': person.signedUp,
      'passkey sign-in': await logIn(instance.browser(), authenticator),
      'passkey step-up': await stepUp(browser, authenticator),
      'password sign-in': await logInByPassword(instance.browser(), person),
      'password step-up': await stepUpByPassword((await signUpWithOnlyPassword(instance)).browser),
      'password change': await setPassword(browser, password),
    };
    const notSetting = {
      'refused sign-in': await guessPassword(instance, person),
      'start of a recovery': await useCode(recovering, person, codes[0]),
      'session check': await browser.get('/auth/session'),
      'sign-out': await browser.delete('/auth/session'),
    };
    const completion = await completeRecovery(recovering);
    const counts = (answers: Record<string, Answer>) =>
      Object.entries(answers).map(([act, answer]) => [act, deviceCookies(answer).length]);
    expect(counts({ ...setting, completion })).toEqual(
      [...Object.keys(setting), 'completion'].map((act) => [act, 1]),
    );
    expect(counts(notSetting)).toEqual(Object.keys(notSetting).map((act) => [act, 0]));
  });

  test('is not set if the service has no rate limits', async () => {
    expect(deviceCookies((await signUp(service)).signedUp)).toEqual([]);
  });

  test('contains neither the username nor the user id in readable form', async () => {
    const instance = await start();
    const { browser, username, signedUp } = await signUp(instance);
    const bytes = Buffer.from(`${browser.cookies.get('latchkey-device')}`, 'base64url');
    for (const text of [username, signedUp.body.user.id]) expect(bytes.includes(text)).toBe(false);
  });

  test('identifies the last ten accounts that signed in on the browser', async () => {
    const instance = await start();
    const browser = instance.browser();
    const people: Person[] = [];
    for (let n = 0; n < 11; n += 1) {
      const username = newUsername('long').padEnd(32, 'x');
      const person = await signUp(instance, { browser, username });
      await setPassword(browser, password);
      people.push(person);
    }
    expect(`${browser.cookies.get('latchkey-device')}`.length).toBeLessThan(1200);
    const known = [];
    for (const person of people) known.push(await isKnown(instance, person, browser));
    expect(known).toEqual([false, ...Array(10).fill(true)]);
  });

  test.each<[what: string, change: (cookie: string) => string]>([
    ['a changed character', (cookie) => `${cookie[0] === 'A' ? 'B' : 'A'}${cookie.slice(1)}`],
    ['a missing end', (cookie) => cookie.slice(0, -8)],
    ['no value', () => ''],
    ['a readable value', () => Buffer.from('[["ada","AAAA",0]]').toString('base64url')],
    ['4,000 characters', () => 'A'.repeat(4000)],
  ])('is ignored with %s', async (_, change) => {
    const instance = await start();
    const person = await signUpWithPassword(instance);
    const browser = person.browser.copy();
    browser.cookies.set('latchkey-device', change(`${browser.cookies.get('latchkey-device')}`));
    expect(await isKnown(instance, person, browser)).toBe(false);
  });

  test('stays valid while JWT_SECRET is rotated, and ends when the old secret is removed', async () => {
    const before = await start();
    const person = await signUpWithPassword(before);
    const during = await start({ secret: `${newSecret},${secret}` });
    expect(await isKnown(during, person, person.browser)).toBe(true);
    const after = await start({ secret: newSecret });
    expect(await isKnown(after, person, person.browser)).toBe(false);
  });

  test('does not make a password sign-in send more statements', async () => {
    const sent: string[] = [];
    const options = { trustedProxies: 1, bcryptCost: 4 };
    const instance = await limits.start(service, options, (text) => sent.push(text));
    const person = await signUpWithPassword(instance);
    sent.length = 0;
    await logInByPassword(person.browser, person);
    expect(sent).toHaveLength(2);
    sent.length = 0;
    await logInByPassword(instance.browser(), person);
    expect(sent).toHaveLength(2);
  });

  test('changes nothing about the response to a wrong password', async () => {
    const instance = await start({ rateLimits: {} });
    const person = await signUpWithPassword(instance);
    const answers = [
      await guessPassword(instance, person, person.browser),
      await guessPassword(instance, person),
      await guessPassword(instance, { username: newUsername('unknown') }),
    ];
    const shown = answers.map(({ status, body, headers }) => [
      status,
      body,
      headers.get('RateLimit-Limit'),
      headers.get('RateLimit-Remaining'),
    ]);
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
  });
});

test('a device cookie of another user gives a thief no second budget for the same username', async () => {
  const instance = await start();
  const [owner, thief] = [await signUpWithPassword(instance), await signUpWithPassword(instance)];
  const answers = await inTurn(3, () => guessPassword(instance, owner, thief.browser));
  expect(statuses(answers)).toEqual([401, 429, 429]);
});
