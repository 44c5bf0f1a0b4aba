import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { help, signUpAs } from './support/authority.ts';
import { forgetEverybody } from './support/bootstrapping.ts';
import {
  cancelLink,
  completeRecovery,
  createLink,
  enterByLink,
  linkRowsOf,
  recoverySessionsOf,
  shownLink,
  useLink,
} from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

const delay = 86_400;

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startFrozenService({ assistedRecoveryDelaySeconds: delay });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const now = (plusSeconds?: number) => timeOf(service, plusSeconds);
const use = (token: string) => useLink(service.browser(), token);

const creators: [
  name: string,
  make: (person: Person) => Promise<{ token: string; usableAt: string; expiresAt: string }>,
][] = [
  [
    'a user',
    async (person) => {
      await logIn(superadmin.browser, superadmin.authenticator);
      return (await help(superadmin.browser, person)).body;
    },
  ],
  ['an operator', (person) => createLink(service, person)],
];

describe.each(creators)(
  'with a delay of one day (ASSISTED_RECOVERY_DELAY), a recovery link created by %s',
  (_, make) => {
    test('becomes usable after the delay and expires an hour later, and its creator and its user can see both times', async () => {
      const person = await signUp(service);
      const times = { usableAt: await now(delay), expiresAt: await now(delay + 3600) };
      expect(await make(person)).toMatchObject(times);
      expect(await shownLink(person.browser)).toMatchObject({
        ...times,
        createdAt: await now(),
        usedAt: null,
      });
    });

    test('is rejected until it becomes usable, and Retry-After contains the remaining seconds', async () => {
      const person = await signUp(service);
      const { token } = await make(person);
      for (const [turn, retryAfter] of [
        [0, '86400'],
        [0.001, '86400'],
        [0.999, '86399'],
        [86_397.5, '2'],
        [1.499, '1'],
      ] as const) {
        await service.turnClock({ seconds: turn });
        const answer = await use(token);
        expectProblem(answer, 'recovery_link_waiting');
        expect(answer.headers.get('Retry-After')).toBe(retryAfter);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect(await recoverySessionsOf(service, person)).toEqual([]);
      await service.turnClock({ seconds: 0.001 });
      expect((await use(token)).status).toBe(200);
    });

    test('can be used for exactly an hour', async () => {
      const [early, late] = [await signUp(service), await signUp(service)];
      const tokens = [(await make(early)).token, (await make(late)).token] as const;
      await service.turnClock({ seconds: delay + 3599.999 });
      const browser = await enterByLink(service, tokens[0]);
      await service.turnClock({ seconds: 0.001 });
      expect(await reasonOfRefusal(service, await use(tokens[1]))).toBe('link_expired');
      expect((await completeRecovery(browser)).status).toBe(201);
    });

    test('can be canceled by its user before it becomes usable, and is then rejected like an unknown link', async () => {
      const person = await signUp(service);
      const { token } = await make(person);
      expect((await cancelLink(person.browser)).status).toBe(204);
      expect(await reasonOfRefusal(service, await use(token))).toBe('link_unknown_or_used');
      await service.turnClock({ seconds: delay });
      expectProblem(await use(token), 'authentication_failed');
    });

    test('is not used up by an early attempt, and the attempt is recorded', async () => {
      const person = await signUp(service);
      const answer = await use((await make(person)).token);
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event: 'recovery_link.use',
          outcome: 'failure',
          target_id: userIdOf(person),
          details: { reason: 'link_waiting' },
        },
      ]);
      expect(await linkRowsOf(service, person)).toMatchObject([{ session_id: null, used_at: null }]);
    });
  },
);

test('using a waiting link does not reveal the delay if the creator can no longer create this link', async () => {
  const [creator, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
  const { token } = (await help(creator.browser, person)).body;
  await service.database.sql`update latchkey.users set role = 'user' where id = ${userIdOf(creator)}`;
  expect(await reasonOfRefusal(service, await use(token))).toBe('creator_no_longer_entitled');
});

test('a second link has its own delay', async () => {
  const person = await signUp(service);
  await createLink(service, person);
  await service.turnClock({ seconds: delay });
  const { token, usableAt } = await createLink(service, person);
  expect(usableAt).toBe(await now(delay));
  expectProblem(await use(token), 'recovery_link_waiting');
});

test('the recovery link that a bootstrap creates has no delay', async () => {
  await forgetEverybody(service);
  const { link } = await service.auth.asOperator('ops').bootstrap({ username: 'first-one' });
  expect(link).toMatchObject({ usableAt: await now(), expiresAt: await now(3600) });
  const browser = await enterByLink(service, `${link?.token}`);
  expect((await completeRecovery(browser)).status).toBe(201);
});
