import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { setRole, setStatus } from './support/accounts.ts';
import { accept, changeRole, deleteUser, disable, enable, invite, signUpAs } from './support/authority.ts';
import { tokenOf } from './support/current-session.ts';
import { inviteWhole, listed, preview, revoke, roleOf } from './support/invitations.ts';
import { startRecovering } from './support/recovery.ts';

let service: TestService;
let superadmin: Person;
/** The user who tries to accept, and keeps the role `user`. */
let person: Person;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());
// The tests move the clock past the end of all sessions, so each test signs up new users.
beforeEach(async () => {
  superadmin = await signUpAs(service, 'superadmin');
  person = await signUp(service);
});

/** Expects that the token can be neither previewed nor accepted, and that the attempt changes nothing. */
async function expectUnusable(
  token: string,
  code: 'invitation_unusable' | 'invitation_not_found' = 'invitation_unusable',
): Promise<void> {
  const session = tokenOf(person.browser);
  const answer = await accept(person.browser, token);
  expectProblem(answer, code);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expectProblem(await preview(service.browser(), token), code);
  expect(tokenOf(person.browser)).toBe(session);
  expect(await roleOf(person.browser)).toBe('user');
}

describe('an invitation is unusable', () => {
  test('after it is revoked', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    await revoke(superadmin.browser, invitation);
    await expectUnusable(token);
  });

  test('for every user after it is accepted', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    const first = await signUp(service);
    await accept(first.browser, token);
    await expectUnusable(token);
    expectProblem(await accept(first.browser, token), 'invitation_unusable');
    expect(await listed(superadmin.browser, invitation)).toMatchObject({
      status: 'accepted',
      acceptedBy: { id: userIdOf(first) },
    });
  });

  test('exactly from its expiry time on', async () => {
    const { token } = await inviteWhole(superadmin.browser, { expiresInHours: 1 });
    const { token: other } = await inviteWhole(superadmin.browser, { expiresInHours: 1 });
    await service.turnClock({ seconds: 3599.999 });
    expect((await preview(service.browser(), token)).status).toBe(200);
    expect((await accept((await signUp(service)).browser, other)).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    await expectUnusable(token);
  });

  test('after 72 hours by default, or after the 720 hours that the creator chose', async () => {
    const [long, usual] = [
      await invite(superadmin.browser, { expiresInHours: 720 }),
      await invite(superadmin.browser),
    ];
    const expectUsable = async (token: string) =>
      expect((await preview(service.browser(), token)).status).toBe(200);
    await service.turnClock({ seconds: 72 * 3600 - 1 });
    await expectUsable(usual);
    await service.turnClock({ seconds: 1 });
    await expectUnusable(usual);
    await service.turnClock({ seconds: 648 * 3600 - 1 });
    await expectUsable(long);
    await service.turnClock({ seconds: 1 });
    // The earlier session has expired.
    person = await signUp(service);
    await expectUnusable(long);
  });

  test.each<[what: string, forge: (token: string, id: string) => string]>([
    ['an empty token', () => ''],
    ['an unknown token', () => 'x'.repeat(43)],
    ['half of its token', (token) => token.slice(0, 21)],
    ['its token and an extra letter', (token) => `${token}A`],
    ['its token in capitals', (token) => token.toUpperCase()],
    ['its token with spaces around it', (token) => ` ${token} `],
    ['its id', (_, id) => id],
    ['the hash of its token', (token) => createHash('sha256').update(token).digest('base64url')],
    ['10,000 letters', () => 'x'.repeat(10_000)],
    ['an SQL pattern', () => '%'],
  ])('with %s: no invitation is found', async (_, forge) => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    await expectUnusable(forge(token, invitation.id), 'invitation_not_found');
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
  });
});

describe('accepting an invitation is rejected', () => {
  test('without a session, or in a recovery session', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    expectProblem(await accept(service.browser(), token), 'not_authenticated');
    const { browser } = await startRecovering(service, person);
    expectProblem(await accept(browser, token), 'recovery_session');
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
  });

  test('for a user who was disabled or has signed out', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    const out = person.browser.copy();
    await person.browser.delete('/auth/session');
    expectProblem(await accept(out, token), 'not_authenticated');
    const other = await signUp(service);
    await disable(superadmin.browser, other);
    expectProblem(await accept(other.browser, token), 'not_authenticated');
    expect(await listed(superadmin.browser, invitation)).toEqual(invitation);
  });
});

describe('if the creator of an invitation', () => {
  const changes: [what: string, change: (creator: Person) => Promise<unknown>][] = [
    ['is demoted to user', (creator) => changeRole(superadmin.browser, creator, 'user')],
    ['is demoted to admin', (creator) => changeRole(superadmin.browser, creator, 'admin')],
    ['gives up the role', (creator) => changeRole(creator.browser, creator, 'admin')],
    ['is disabled', (creator) => disable(superadmin.browser, creator)],
    ['is deleted', (creator) => deleteUser(superadmin.browser, creator)],
    ['deletes their account', (creator) => creator.browser.delete('/auth/account')],
    [
      'is demoted by an operator',
      (creator) => service.auth.asOperator('ops').users.changeRole(creator.username, 'user'),
    ],
    [
      'is disabled by an operator',
      (creator) => service.auth.asOperator('ops').users.disable(creator.username),
    ],
    ['is deleted by an operator', (creator) => service.auth.asOperator('ops').users.delete(creator.username)],
  ];

  test.each(changes)('%s, the invitation is unusable and listed as revoked', async (_, change) => {
    const creator = await signUpAs(service, 'superadmin');
    const { invitation, token } = await inviteWhole(creator.browser);
    expect(await change(creator)).not.toMatchObject({ body: { code: expect.anything() } });
    await expectUnusable(token);
    expect(await listed(superadmin.browser, invitation)).toMatchObject({ status: 'revoked' });
  });

  test.each(changes.slice(0, 4))(
    '%s, the invitation stays unusable, even after the creator becomes a superadmin again',
    async (_, change) => {
      const creator = await signUpAs(service, 'superadmin');
      const { invitation, token } = await inviteWhole(creator.browser);
      await change(creator);
      await enable(superadmin.browser, creator);
      await changeRole(superadmin.browser, creator, 'superadmin');
      await expectUnusable(token);
      expect(await listed(superadmin.browser, invitation)).toMatchObject({ status: 'revoked' });
      const again = service.browser();
      expect((await logIn(again, creator.authenticator)).status).toBe(200);
      expect((await accept(person.browser, await invite(again))).status).toBe(200);
    },
  );

  test.each<[what: string, change: (creator: Person) => Promise<unknown>]>([
    ['loses the role with SQL', (creator) => setRole(service, creator, 'admin')],
    ['is disabled with SQL', (creator) => setStatus(service, creator, 'disabled')],
  ])('%s, the invitation is unusable, but listed as pending', async (_, change) => {
    const creator = await signUpAs(service, 'superadmin');
    const { invitation, token } = await inviteWhole(creator.browser);
    await change(creator);
    await expectUnusable(token);
    expect(await listed(superadmin.browser, invitation)).toMatchObject({ status: 'pending' });
  });

  test.each(changes)(
    '%s, an invitation that is already accepted stays accepted, and the user stays an admin',
    async (_, change) => {
      const creator = await signUpAs(service, 'superadmin');
      const { invitation, token } = await inviteWhole(creator.browser);
      await accept(person.browser, token);
      await change(creator);
      expect(await listed(superadmin.browser, invitation)).toMatchObject({ status: 'accepted' });
      expect(await roleOf(person.browser)).toBe('admin');
    },
  );

  test('signs out, the invitation stays usable', async () => {
    const creator = await signUpAs(service, 'superadmin');
    const token = await invite(creator.browser);
    await creator.browser.delete('/auth/session');
    expect((await accept(person.browser, token)).status).toBe(200);
  });
});

test('disabling a creator does not affect the invitations of other creators', async () => {
  const creator = await signUpAs(service, 'superadmin');
  const [bySuperadmin, byOperator] = [
    await inviteWhole(superadmin.browser),
    await service.auth.asOperator('ops').invitations.create(),
  ];
  await disable(superadmin.browser, creator);
  for (const { token } of [bySuperadmin, byOperator]) {
    expect((await accept((await signUp(service)).browser, token)).status).toBe(200);
  }
});
