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
let chief: Person;
/** Who tries, and stays an ordinary user. */
let person: Person;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());
// Time is turned a lot here, beyond what a session lives.
beforeEach(async () => {
  chief = await signUpAs(service, 'superadmin');
  person = await signUp(service);
});

/** Expects that a link is dead to whoever holds it, and that trying changes nothing. */
async function expectDead(
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

describe('an invitation is dead', () => {
  test('once it is revoked', async () => {
    const { invitation, token } = await inviteWhole(chief.browser);
    await revoke(chief.browser, invitation);
    await expectDead(token);
  });

  test('once somebody has accepted it, for them and for everybody', async () => {
    const { invitation, token } = await inviteWhole(chief.browser);
    const first = await signUp(service);
    await accept(first.browser, token);
    await expectDead(token);
    expectProblem(await accept(first.browser, token), 'invitation_unusable');
    expect(await listed(chief.browser, invitation)).toMatchObject({
      status: 'accepted',
      acceptedBy: { id: userIdOf(first) },
    });
  });

  test('from the second in which its time is over, and not before', async () => {
    const { token } = await inviteWhole(chief.browser, { expiresInHours: 1 });
    const { token: spared } = await inviteWhole(chief.browser, { expiresInHours: 1 });
    await service.turnClock({ seconds: 3599.999 });
    expect((await preview(service.browser(), token)).status).toBe(200);
    expect((await accept((await signUp(service)).browser, spared)).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    await expectDead(token);
  });

  test('after 720 hours where it was given as many, and after 72 where nothing was said', async () => {
    const [long, usual] = [await invite(chief.browser, { expiresInHours: 720 }), await invite(chief.browser)];
    const expectUsable = async (token: string) =>
      expect((await preview(service.browser(), token)).status).toBe(200);
    await service.turnClock({ seconds: 72 * 3600 - 1 });
    await expectUsable(usual);
    await service.turnClock({ seconds: 1 });
    await expectDead(usual);
    await service.turnClock({ seconds: 648 * 3600 - 1 });
    await expectUsable(long);
    await service.turnClock({ seconds: 1 });
    // A session of before has ended meanwhile.
    person = await signUp(service);
    await expectDead(long);
  });

  test.each<[what: string, forge: (token: string, id: string) => string]>([
    ['nothing', () => ''],
    ['one that nobody has made', () => 'x'.repeat(43)],
    ['half of one', (token) => token.slice(0, 21)],
    ['one and a letter', (token) => `${token}A`],
    ['one in other letters', (token) => token.toUpperCase()],
    ['one with space around it', (token) => ` ${token} `],
    ['the id', (_, id) => id],
    ['what is kept of one', (token) => createHash('sha256').update(token).digest('base64url')],
    ['10,000 letters', () => 'x'.repeat(10_000)],
    ['a pattern', () => '%'],
  ])('and unknown where its token is %s', async (_, forge) => {
    const { invitation, token } = await inviteWhole(chief.browser);
    await expectDead(forge(token, invitation.id), 'invitation_not_found');
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
  });
});

describe('an invitation is not accepted', () => {
  test('without a session, or while an account is recovered', async () => {
    const { invitation, token } = await inviteWhole(chief.browser);
    expectProblem(await accept(service.browser(), token), 'not_authenticated');
    const { browser } = await startRecovering(service, person);
    expectProblem(await accept(browser, token), 'recovery_session');
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
  });

  test('by somebody who was disabled or has logged out', async () => {
    const { invitation, token } = await inviteWhole(chief.browser);
    const out = person.browser.copy();
    await person.browser.delete('/auth/session');
    expectProblem(await accept(out, token), 'not_authenticated');
    const other = await signUp(service);
    await disable(chief.browser, other);
    expectProblem(await accept(other.browser, token), 'not_authenticated');
    expect(await listed(chief.browser, invitation)).toEqual(invitation);
  });
});

describe('an invitation whose maker', () => {
  const falls: [what: string, fall: (maker: Person) => Promise<unknown>][] = [
    ['is a user again', (maker) => changeRole(chief.browser, maker, 'user')],
    ['is an admin now', (maker) => changeRole(chief.browser, maker, 'admin')],
    ['has stepped down', (maker) => changeRole(maker.browser, maker, 'admin')],
    ['is disabled', (maker) => disable(chief.browser, maker)],
    ['is deleted', (maker) => deleteUser(chief.browser, maker)],
    ['has deleted their account', (maker) => maker.browser.delete('/auth/account')],
    [
      'was made a user by an operator',
      (maker) => service.auth.asOperator('ops').users.changeRole(maker.username, 'user'),
    ],
    ['was disabled by an operator', (maker) => service.auth.asOperator('ops').users.disable(maker.username)],
    ['was deleted by an operator', (maker) => service.auth.asOperator('ops').users.remove(maker.username)],
  ];

  test.each(falls)('%s is dead, and revoked in the list', async (_, fall) => {
    const maker = await signUpAs(service, 'superadmin');
    const { invitation, token } = await inviteWhole(maker.browser);
    expect(await fall(maker)).not.toMatchObject({ body: { code: expect.anything() } });
    await expectDead(token);
    expect(await listed(chief.browser, invitation)).toMatchObject({ status: 'revoked' });
  });

  test.each(falls.slice(0, 4))('%s stays dead when they are what they were', async (_, fall) => {
    const maker = await signUpAs(service, 'superadmin');
    const { invitation, token } = await inviteWhole(maker.browser);
    await fall(maker);
    await enable(chief.browser, maker);
    await changeRole(chief.browser, maker, 'superadmin');
    await expectDead(token);
    expect(await listed(chief.browser, invitation)).toMatchObject({ status: 'revoked' });
    const anew = service.browser();
    expect((await logIn(anew, maker.authenticator)).status).toBe(200);
    expect((await accept(person.browser, await invite(anew))).status).toBe(200);
  });

  test.each<[what: string, change: (maker: Person) => Promise<unknown>]>([
    ['lost the role', (maker) => setRole(service, maker, 'admin')],
    ['was disabled', (maker) => setStatus(service, maker, 'disabled')],
  ])('%s where the invitation was left as it was is dead all the same', async (_, change) => {
    const maker = await signUpAs(service, 'superadmin');
    const { invitation, token } = await inviteWhole(maker.browser);
    await change(maker);
    await expectDead(token);
    expect(await listed(chief.browser, invitation)).toMatchObject({ status: 'pending' });
  });

  test.each(falls)('%s keeps what came of it before', async (_, fall) => {
    const maker = await signUpAs(service, 'superadmin');
    const { invitation, token } = await inviteWhole(maker.browser);
    await accept(person.browser, token);
    await fall(maker);
    expect(await listed(chief.browser, invitation)).toMatchObject({ status: 'accepted' });
    expect(await roleOf(person.browser)).toBe('admin');
  });

  test('falls takes no invitation of anybody else along', async () => {
    const maker = await signUpAs(service, 'superadmin');
    const [byChief, byOperator] = [
      await inviteWhole(chief.browser),
      await service.auth.asOperator('ops').invitations.create(),
    ];
    await disable(chief.browser, maker);
    for (const { token } of [byChief, byOperator]) {
      expect((await accept((await signUp(service)).browser, token)).status).toBe(200);
    }
  });

  test('has logged out serves all the same', async () => {
    const maker = await signUpAs(service, 'superadmin');
    const token = await invite(maker.browser);
    await maker.browser.delete('/auth/session');
    expect((await accept(person.browser, token)).status).toBe(200);
  });
});
