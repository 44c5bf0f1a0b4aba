import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { createLink, linkRowsOf, linkUsePath, useLink } from './support/recovery.ts';
import { reasonOfRefusal, shapeOf } from './support/refused-sign-in.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const use = (token: string) => useLink(service.browser(), token);

describe('rejecting a recovery link', () => {
  const unknownToken = 'A'.repeat(43);
  const refusals: [name: string, reason: string, prepare: (person: Person) => Promise<string>][] = [
    ['an unknown token', 'link_unknown_or_used', async () => unknownToken],
    ['an empty token', 'link_unknown_or_used', async () => ''],
    ['a token of 10,000 characters', 'link_unknown_or_used', async () => 'x'.repeat(10_000)],
    [
      'the URL of a link instead of its token',
      'link_unknown_or_used',
      async (person) => (await createLink(service, person)).url,
    ],
    [
      'a token followed by a space',
      'link_unknown_or_used',
      async (person) => `${(await createLink(service, person)).token} `,
    ],
    [
      'a token in capitals',
      'link_unknown_or_used',
      async (person) => (await createLink(service, person)).token.toUpperCase(),
    ],
    [
      'the SHA-256 hash of a token',
      'link_unknown_or_used',
      async (person) =>
        createHash('sha256')
          .update((await createLink(service, person)).token)
          .digest('base64url'),
    ],
    ['a session token', 'link_unknown_or_used', async ({ browser }) => browser.cookies.get('latchkey') ?? ''],
    [
      'a used link',
      'link_unknown_or_used',
      async (person) => {
        const { token } = await createLink(service, person);
        await use(token);
        return token;
      },
    ],
    [
      'an expired link',
      'link_expired',
      async (person) => {
        const { token } = await createLink(service, person);
        await service.turnClock({ minutes: 60 });
        return token;
      },
    ],
    [
      'the link of a disabled user',
      'user_disabled',
      async (person) => {
        const { token } = await createLink(service, person);
        await setStatus(service, person, 'disabled');
        return token;
      },
    ],
  ];

  test.each(refusals)('returns the same response for %s', async (name, reason, prepare) => {
    const person = await signUp(service);
    const usual = await use(unknownToken);
    const token = await prepare(person);
    service.statements.length = 0;
    const answer = await use(token);
    expect(service.statements).toHaveLength(2);
    expect(await reasonOfRefusal(service, answer)).toBe(reason);
    expect(shapeOf(answer)).toEqual(shapeOf(usual));
    const known = reason !== 'link_unknown_or_used' || name === 'a used link';
    expect(await auditRowsOf(service, answer)).toMatchObject([
      {
        event: 'recovery_link.use',
        actor_type: 'anonymous',
        target_id: known ? userIdOf(person) : null,
        target_name: known ? person.username : null,
        details: { reason },
      },
    ]);
  });

  test('does not use up the link of a disabled user: the link works after the account is enabled', async () => {
    const person = await signUp(service);
    const { token } = await createLink(service, person);
    await setStatus(service, person, 'disabled');
    expectProblem(await use(token), 'authentication_failed');
    expect(await linkRowsOf(service, person)).toHaveLength(1);
    await setStatus(service, person, 'active');
    expect((await use(token)).status).toBe(200);
  });

  test.each<[how: string, body: object, path: string]>([
    ['without a token', {}, 'token'],
    ['with a number as the token', { token: 1 }, 'token'],
    ['with a list as the token', { token: [unknownToken] }, 'token'],
    ['with a NUL character in the token', { token: 'a\0' }, 'token'],
    ['with a user id', { token: unknownToken, userId: 'x' }, 'userId'],
  ])('returns 400 for a request %s and writes no audit row', async (_, body, path) => {
    const before = await service.auditRows();
    const answer = await service.browser().post(linkUsePath, body);
    expectProblem(answer, 'invalid_request', { errors: [{ path, message: expect.any(String) }] });
    expect(await service.auditRows()).toEqual(before);
  });
});
