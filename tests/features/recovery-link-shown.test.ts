import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';
import { endSessions } from './support/accounts.ts';
import { auditRowsAbout, wholeAuditRowsOf } from './support/audit-log.ts';
import { help, signUpAs } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import {
  cancelLink,
  completeRecovery,
  createLink,
  enterByCode,
  enterByLink,
  generateCodes,
  linkPath,
  linkRowsOf,
  shownLink,
  signUpWithCodes,
  useLink,
} from './support/recovery.ts';

let service: TestService;
/** Another process on the same database. */
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startFrozenService();
  second = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, second));

const ops = () => service.auth.asOperator('ops').users;
const now = (plusSeconds?: number) => timeOf(service, plusSeconds);
/** The pending recovery link that an operator can see. */
const inspectedLink = async ({ username }: Person) => (await ops().get(username)).recoveryLink;

/** Signs the superadmin in, because earlier tests move the clock. */
const freshSuperadmin = async () => {
  await logIn(superadmin.browser, superadmin.authenticator);
  return superadmin;
};

const creators: [
  name: string,
  make: (person: Person) => Promise<{ token: string; createdBy: object | null }>,
][] = [
  [
    'a user',
    async (person) => {
      const { token } = (await help((await freshSuperadmin()).browser, person)).body;
      return { token, createdBy: { id: userIdOf(superadmin), username: superadmin.username } };
    },
  ],
  ['an operator', async (person) => ({ token: (await createLink(service, person)).token, createdBy: null })],
];

describe.each(creators)('a recovery link created by %s', (_, make) => {
  test('is shown immediately in all sessions of its user, in every process, and to no other user', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const elsewhere = second.browser();
    await logIn(elsewhere, person.authenticator);
    const everywhere = [person.browser, elsewhere, second.browser(person.browser.cookies)];
    for (const browser of everywhere) expect(await shownLink(browser)).toBeNull();

    const { createdBy } = await make(person);
    const shown = {
      createdBy,
      createdAt: await now(),
      usableAt: await now(),
      expiresAt: await now(3600),
      usedAt: null,
    };
    for (const browser of everywhere) expect(await shownLink(browser)).toEqual(shown);
    expect(await inspectedLink(person)).toEqual(shown);
    for (const browser of [other.browser, (await freshSuperadmin()).browser])
      expect(await shownLink(browser)).toBeNull();
  });

  test('is shown as used while its recovery session exists, even in this recovery session', async () => {
    const person = await signUp(service);
    const { token, createdBy } = await make(person);
    const createdAt = await now();
    await service.turnClock({ minutes: 10 });
    const browser = await enterByLink(service, token);
    const shown = {
      createdBy,
      createdAt,
      usableAt: createdAt,
      expiresAt: await now(3600),
      usedAt: await now(),
    };
    for (const one of [person.browser, browser, second.browser(person.browser.cookies)])
      expect(await shownLink(one)).toEqual(shown);
    expect(await inspectedLink(person)).toEqual(shown);
  });

  test('is not shown and cannot be canceled after it expires', async () => {
    const person = await signUp(service);
    await make(person);
    await service.turnClock({ seconds: 3599.999 });
    expect(await shownLink(person.browser)).not.toBeNull();
    await service.turnClock({ seconds: 0.001 });
    expect([await shownLink(person.browser), await inspectedLink(person)]).toEqual([null, null]);
    await stepUp(person.browser, person.authenticator);
    expectProblem(await cancelLink(person.browser), 'not_found');
    await expect(ops().cancelRecoveryLink(person.username)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is not shown and cannot be canceled after its recovery session ends', async () => {
    const endings: [
      name: string,
      end: (entered: Awaited<ReturnType<typeof enterByLink>>) => Promise<unknown>,
    ][] = [
      ['signed out', (browser) => browser.delete('/auth/session')],
      ['expired', () => service.turnClock({ minutes: 60 })],
      ['completed', (browser) => completeRecovery(browser)],
    ];
    for (const [name, end] of endings) {
      const person = await signUp(service);
      const browser = await enterByLink(service, (await make(person)).token);
      expect(await shownLink(person.browser)).not.toBeNull();
      await end(browser);
      expect(await inspectedLink(person), name).toBeNull();
      await expect(ops().cancelRecoveryLink(person.username), name).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  test.each(['unused', 'used'])(
    'can be canceled by its user while the link is %s, and this ends the recovery session of the link',
    async (state) => {
      const { person, codes } = await signUpWithCodes(service);
      const { token } = await make(person);
      const byLink = state === 'used' ? await enterByLink(service, token) : service.browser();
      const byCode = await enterByCode(service, person, codes[0]);
      const answer = await cancelLink(person.browser);
      expect([answer.status, answer.body]).toEqual([204, null]);

      expect([await shownLink(person.browser), await inspectedLink(person)]).toEqual([null, null]);
      expect(await linkRowsOf(service, person)).toEqual([]);
      expect([await isSignedIn(byLink), await isSignedIn(second.browser(byLink.cookies))]).toEqual([
        false,
        false,
      ]);
      expect(await isSignedIn(byCode)).toBe(true);
      expect(await isSignedIn(person.browser)).toBe(true);
      expectProblem(await useLink(service.browser(), token), 'authentication_failed');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event: 'recovery_link.cancel',
          outcome: 'success',
          actor_id: userIdOf(person),
          target_type: 'user',
          target_id: userIdOf(person),
          target_name: person.username,
          details: {},
        },
      ]);
      expectProblem(await cancelLink(person.browser), 'not_found');
      expect((await completeRecovery(byCode)).status).toBe(201);
    },
  );

  test.each(['unused', 'used'])('can be canceled by an operator while it is %s', async (state) => {
    const person = await signUp(service);
    const { token } = await make(person);
    const browser = state === 'used' ? await enterByLink(service, token) : service.browser();
    await ops().cancelRecoveryLink(` ${person.username.toUpperCase()} `);
    expect(await isSignedIn(browser)).toBe(false);
    expectProblem(await useLink(service.browser(), token), 'authentication_failed');
    expect(await auditRowsAbout(service, person, 'recovery_link.cancel')).toMatchObject([
      { outcome: 'success', actor_type: 'operator', actor_name: 'ops', target_name: person.username },
    ]);
    await expect(ops().cancelRecoveryLink(person.username)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('canceling a recovery link', () => {
  test('requires fresh authentication', async () => {
    const person = await signUp(service);
    await service.turnClock({ minutes: 11 });
    await createLink(service, person);
    expectProblem(await cancelLink(person.browser), 'reauthentication_required');
    expect(await shownLink(person.browser)).not.toBeNull();
    await stepUp(person.browser, person.authenticator);
    expect((await cancelLink(person.browser)).status).toBe(204);
  });

  test('is rejected without a session, and in every recovery session, even in the session that the link opened', async () => {
    const { person, codes } = await signUpWithCodes(service);
    const { token } = await createLink(service, person);
    const recovering = [await enterByCode(service, person, codes[0]), await enterByLink(service, token)];
    for (const browser of recovering) expectProblem(await cancelLink(browser), 'recovery_session');
    expectProblem(await cancelLink(service.browser()), 'not_authenticated');
    expect(await linkRowsOf(service, person)).toHaveLength(1);
  });

  test('does not affect the links of other users', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    await createLink(service, person);
    const spared = await enterByLink(service, (await createLink(service, other)).token);
    await cancelLink(person.browser);
    expect((await completeRecovery(spared)).status).toBe(201);
  });

  test('rejects unknown properties', async () => {
    const person = await signUp(service);
    await createLink(service, person);
    const answer = await person.browser.request('DELETE', linkPath, '{"userId":"x"}', {
      'Content-Type': 'application/json',
    });
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'userId', message: 'this property is unknown' }],
    });
    expect(await linkRowsOf(service, person)).toHaveLength(1);
  });

  test('has no effect if the session ends before the statement runs', async () => {
    const person = await signUp(service);
    await createLink(service, person);
    const { answer, changed } = await meet(service, {
      before: /delete from latchkey\.recovery_links/,
      change: () => endSessions(service, person),
      act: (instance) => cancelLink(instance.browser(person.browser.cookies)),
    });
    expect(changed).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await linkRowsOf(service, person)).toHaveLength(1);
    expect(await wholeAuditRowsOf(service, answer)).toEqual([]);
  });

  test('fails for an operator with an unknown username', async () => {
    await expect(ops().cancelRecoveryLink('not-a-user')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('does not affect the user’s recovery codes', async () => {
    const person = await signUp(service);
    const codes = await generateCodes(person.browser);
    await createLink(service, person);
    await cancelLink(person.browser);
    expect(await isSignedIn(await enterByCode(service, person, codes[0]))).toBe(true);
  });
});

test('a second recovery link replaces the first link and ends the recovery session of the first link', async () => {
  const person = await signUp(service);
  const first = await enterByLink(service, (await createLink(service, person)).token);
  await service.turnClock({ seconds: 5 });
  await help((await freshSuperadmin()).browser, person);
  expect(await shownLink(person.browser)).toMatchObject({
    createdBy: { username: superadmin.username },
    createdAt: await now(),
    usedAt: null,
  });
  expect(await isSignedIn(first)).toBe(false);
});
