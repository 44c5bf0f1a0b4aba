import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateCodes } from '../features/support/recovery.ts';
import { limitedServices } from '../support/limited-services.ts';
import { inTurn, statuses, times } from '../support/many-requests.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  guessPassword,
  logInByPassword,
  setPassword,
  signOut,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  useCode,
} from './support/guesses.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

const limits = limitedServices();

/** Starts a service with the default budgets. */
const start = () => limits.start(service, { trustedProxies: 1, bcryptCost: 4 });

/** Strangers use up the budget of the owner's username. */
async function guessEleven(instance: ServiceOn, owner: Person): Promise<void> {
  const answers = await inTurn(11, () => guessPassword(instance, owner));
  expect(statuses(answers)).toEqual([...times(10, 401), 429]);
}

describe('after eleven wrong passwords of strangers,', () => {
  async function attacked(): Promise<{ instance: ServiceOn; owner: Person }> {
    const instance = await start();
    const owner = await signUpWithPassword(instance);
    await signOut(owner.browser);
    await guessEleven(instance, owner);
    return { instance, owner };
  }

  test('the owner can sign in with the password on a browser that has signed in before', async () => {
    const { owner } = await attacked();
    const answers = await inTurn(12, async () => logInByPassword(await signOut(owner.browser), owner));
    expect(statuses(answers)).toEqual(times(12, 200));
  });

  test('other browsers can sign in with the password again when the window ends', async () => {
    const { instance, owner } = await attacked();
    const refused = await logInByPassword(instance.browser(), owner);
    expectProblem(refused, 'rate_limited');
    expect(refused.headers.get('Retry-After')).toBe('900');
    limits.turnClock({ seconds: 900 });
    expect((await logInByPassword(instance.browser(), owner)).status).toBe(200);
  });

  test.each(['with', 'without'])(
    'the owner can sign in with a passkey on any browser, %s the username',
    async (how) => {
      const { instance, owner } = await attacked();
      const username = how === 'with' ? owner.username : undefined;
      expect((await logIn(instance.browser(), owner.authenticator, { username })).status).toBe(200);
    },
  );

  test('a signed-in owner can step up with the password', async () => {
    const instance = await start();
    const owner = await signUpWithOnlyPassword(instance);
    await guessEleven(instance, owner);
    expect((await stepUpByPassword(owner.browser)).status).toBe(200);
  });

  test('the owner can use a recovery code on any browser', async () => {
    const { instance, owner } = await attacked();
    await logIn(owner.browser, owner.authenticator);
    const [code] = await generateCodes(owner.browser);
    expect((await useCode(instance.browser(), owner, code)).status).toBe(200);
  });
});

test('a superadmin who has only a password can sign in on a known browser while strangers keep guessing', async () => {
  const instance = await start();
  const owner = await signUpWithPassword(instance);
  await service.database.sql`
    update latchkey.users set role = 'superadmin' where id = ${userIdOf(owner)}`;
  await service.database.sql`delete from latchkey.passkeys where user_id = ${userIdOf(owner)}`;
  for (const window of [1, 2, 3]) {
    await guessEleven(instance, owner);
    const answer = await logInByPassword(await signOut(owner.browser), owner);
    expect([window, answer.status]).toEqual([window, 200]);
    limits.turnClock({ seconds: 900 });
  }
});

test('many starts of a passkey sign-in by strangers do not block a username', async () => {
  const instance = await start();
  const owner = await signUp(instance);
  for (let network = 0; network < 4; network += 1) {
    const headers = { 'X-Forwarded-For': `203.0.113.${network}` };
    await inTurn(100, () =>
      instance.browser().post('/auth/passkey/login/start', { username: owner.username }, headers),
    );
  }
  const { username } = owner;
  expect((await logIn(instance.browser(), owner.authenticator, { username })).status).toBe(200);
});

describe('after more than a hundred wrong recovery codes from six IPv6 networks,', () => {
  async function attacked(): Promise<{ instance: ServiceOn; owner: Person; codes: string[] }> {
    const instance = await start();
    const owner = await signUp(instance);
    const codes = await generateCodes(owner.browser);
    await signOut(owner.browser);
    const answers = [];
    for (let n = 0; n < 6 * 17; n += 1) {
      const headers = { 'X-Forwarded-For': `2001:db8:${n % 6}::${n}` };
      answers.push(await useCode(instance.browser(), owner, 'wrong', headers));
    }
    expect(statuses(answers)).toEqual([...times(100, 401), 429, 429]);
    return { instance, owner, codes };
  }

  test('a correct code works on a browser that has signed in before, and on any other browser', async () => {
    const { instance, owner, codes } = await attacked();
    const answers = [
      await useCode(owner.browser, owner, codes[0]),
      await useCode(instance.browser(), owner, codes[1]),
    ];
    expect(statuses(answers)).toEqual([200, 200]);
  });

  test('a mistyped code is still answered on a browser that has signed in before', async () => {
    const { instance, owner } = await attacked();
    expectProblem(await useCode(owner.browser, owner, 'mistyped'), 'authentication_failed');
    expectProblem(await useCode(instance.browser(), owner, 'mistyped'), 'rate_limited');
  });

  test('wrong codes are no longer written to the audit log', async () => {
    const { instance, owner } = await attacked();
    await inTurn(20, () => useCode(instance.browser(), owner, 'wrong'));
    const [row] = await service.database.sql`
      select count(*)::int as events from latchkey.audit_events
      where event = 'recovery_code.use' and outcome = 'failure' and target_id = ${userIdOf(owner)}`;
    expect(row).toEqual({ events: 100 });
  });
});

describe('a browser that has signed in before loses its own budget when', () => {
  const ends: [string, (instance: ServiceOn, owner: Person, other: Person['browser']) => Promise<unknown>][] =
    [
      [
        'the password is replaced on another browser',
        (_, __, other) => setPassword(other, 'another wet towel'),
      ],
      [
        'an operator ends all sessions of the account',
        ({ auth }, { username }) => auth.asOperator('ops').users.endSessions(username),
      ],
    ];

  test.each(ends)('%s', async (_, end) => {
    const instance = await start();
    const owner = await signUpWithPassword(instance);
    const other = instance.browser();
    await logIn(other, owner.authenticator);
    await end(instance, owner, other);
    await guessEleven(instance, owner);
    expectProblem(await guessPassword(instance, owner, owner.browser), 'rate_limited');
  });
});

test('the browser that replaces the password keeps its own budget', async () => {
  const instance = await start();
  const owner = await signUpWithPassword(instance);
  await setPassword(owner.browser, 'another wet towel');
  await signOut(owner.browser);
  await guessEleven(instance, owner);
  expect((await logInByPassword(owner.browser, owner, 'another wet towel')).status).toBe(200);
});
