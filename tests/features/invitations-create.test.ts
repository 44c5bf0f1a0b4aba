import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { fullWidth } from '../support/full-width.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { origin, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { accept, invitationsPath, postInvitation, signUpAs } from './support/authority.ts';
import { inviteWhole, preview } from './support/invitations.ts';
import { startRecovering } from './support/recovery.ts';
import { uuid } from './support/wire-format.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const create = (input: object) => postInvitation(superadmin.browser, input);
const hour = 3600;

describe('a new invitation', () => {
  test('can be accepted by any user with the link, offers the role `admin`, and expires after 72 hours by default', async () => {
    const answer = await superadmin.browser.post(invitationsPath);
    expect(answer.status).toBe(201);
    expectUncached(answer);
    const { token } = answer.body;
    expect(answer.body).toEqual({
      invitation: {
        id: expect.stringMatching(uuid),
        role: 'admin',
        username: null,
        status: 'pending',
        createdBy: { id: userIdOf(superadmin), username: superadmin.username },
        createdAt: await timeOf(service),
        expiresAt: await timeOf(service, 72 * hour),
        acceptedBy: null,
        acceptedAt: null,
      },
      token: expect.stringMatching(/^[\w-]{43}$/),
      url: `${origin}/invitation#token=${token}`,
    });
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  test('has its token in the fragment of the link, not in the path or query', async () => {
    const { url, token } = (await create({})).body;
    const { pathname, search, hash } = new URL(url);
    expect([pathname, search, hash]).toEqual(['/invitation', '', `#token=${token}`]);
  });

  test('links to the configured page', async () => {
    const instance = await startSecondInstance(service, { invitationPage: '/staff/welcome?from=mail' });
    const { body } = await postInvitation(instance.browser(superadmin.browser.cookies));
    await instance.close();
    expect(body.url).toBe(`${origin}/staff/welcome?from=mail#token=${body.token}`);
  });

  test('is stored with a hash of its token, and no log or statement contains the token or the hash', async () => {
    service.statements.length = 0;
    const { invitation, token } = await inviteWhole(superadmin.browser);
    const invitee = await signUp(service);
    await preview(service.browser(), token);
    await accept(invitee.browser, token);
    await accept(invitee.browser, token);
    const hash = createHash('sha256').update(token).digest('base64url');
    const rows = await service.database.sql`select * from latchkey.invitations where id = ${invitation.id}`;
    expect(rows).toMatchObject([{ token_hash: hash }]);
    const { token_hash: _, ...shown } = { ...rows[0] };
    const list = (await superadmin.browser.get(invitationsPath)).body;
    const all = [service.statements, service.logged, await service.auditRows(), list, shown];
    for (const secret of [token, hash, Buffer.from(token, 'base64url').toString('hex')]) {
      expect(JSON.stringify(all)).not.toContain(secret);
    }
  });

  test('has a token that cannot be derived from its id or its hash', async () => {
    const { invitation, token } = await inviteWhole(superadmin.browser);
    const digest = createHash('sha256').update(token).digest('base64url');
    const bytes = Buffer.from(invitation.id.replaceAll('-', ''), 'hex');
    expect(Buffer.from(token, 'base64url').includes(bytes.subarray(0, 6))).toBe(false);
    for (const guess of [invitation.id, digest, bytes.toString('base64url')]) {
      expectProblem(await preview(service.browser(), guess), 'invitation_not_found');
      expectProblem(await accept((await signUp(service)).browser, guess), 'invitation_not_found');
    }
  });

  test('has a unique token and id', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => inviteWhole(superadmin.browser)));
    expect(new Set(made.map(({ token }) => token)).size).toBe(20);
    expect(new Set(made.map(({ invitation }) => invitation.id)).size).toBe(20);
  });

  test.each([1, 2, 719, 720])('expires after %d hours on request', async (expiresInHours) => {
    const { body } = await create({ expiresInHours });
    expect(body.invitation.expiresAt).toBe(await timeOf(service, expiresInHours * hour));
  });
});

describe('an invitation for a username', () => {
  test.each([
    ['that no user has', async () => newUsername()],
    ['that a user has', async () => (await signUp(service)).username],
  ])('%s can be created', async (_, named) => {
    const username = await named();
    const { status, body } = await create({ username, role: 'admin' });
    expect([status, body.invitation.username]).toEqual([201, username]);
  });

  test.each<[how: string, written: (name: string) => string]>([
    ['in capitals', (name) => name.toUpperCase()],
    ['with spaces around it', (name) => ` ${name}\t`],
    ['in full-width letters', fullWidth],
  ])('that is written %s has the normalized username', async (_, written) => {
    const username = newUsername();
    expect((await create({ username: written(username) })).body.invitation.username).toBe(username);
  });

  test.each([
    ['', 'invalid'],
    ['ab', 'invalid'],
    ['two words', 'invalid'],
    ['ana@example.org', 'invalid'],
    ['-ana', 'invalid'],
    ['аdmіn', 'invalid'],
    ['ana\u200dna', 'invalid'],
    ['x'.repeat(33), 'invalid'],
    ['x'.repeat(10_000), 'invalid'],
    ['root', 'reserved'],
    [' Admin ', 'reserved'],
  ])('like %j is rejected', async (username, reason) => {
    expectProblem(await create({ username }), 'username_unacceptable', { reason });
  });

  test('that is reserved can be created if a user has that username', async () => {
    const person = await signUp(service);
    await service.database.sql`
      update latchkey.users set username = 'support' where id = ${userIdOf(person)}`;
    const { token } = await inviteWhole(superadmin.browser, { username: 'Support' });
    expect((await accept(person.browser, token)).body.user).toMatchObject({ id: userIdOf(person) });
  });

  test.each(['admin', 'superadmin'] as const)('of a user with the role %s is rejected', async (role) => {
    const { username } = await signUpAs(service, role);
    expectProblem(await create({ username }), 'role_already_held');
    expectProblem(await create({ username: username.toUpperCase() }), 'role_already_held');
  });

  test('of a disabled user is rejected', async () => {
    const person = await signUp(service);
    await setStatus(service, person, 'disabled');
    expectProblem(await create({ username: person.username }), 'account_disabled');
  });
});

describe('a request to create an invitation', () => {
  const hours = 'expected whole hours from 1 to 720';
  const unknown = 'this property is unknown';
  test.each<[input: object, path: string, message: string]>([
    [{ expiresInHours: 0 }, 'expiresInHours', hours],
    [{ expiresInHours: -1 }, 'expiresInHours', hours],
    [{ expiresInHours: 721 }, 'expiresInHours', hours],
    [{ expiresInHours: 1.5 }, 'expiresInHours', hours],
    [{ expiresInHours: 2 ** 40 }, 'expiresInHours', hours],
    [{ expiresInHours: '72' }, 'expiresInHours', hours],
    [{ expiresInHours: null }, 'expiresInHours', hours],
    [{ expiresInHours: [72] }, 'expiresInHours', hours],
    [{ role: 'user' }, 'role', 'expected "admin"'],
    [{ role: 'superadmin' }, 'role', 'expected "admin"'],
    [{ role: null }, 'role', 'expected "admin"'],
    [{ username: null }, 'username', 'expected a string'],
    [{ username: 5 }, 'username', 'expected a string'],
    [{ username: ['ana'] }, 'username', 'expected a string'],
    [{ status: 'accepted' }, 'status', unknown],
    [{ token: 'x'.repeat(43) }, 'token', unknown],
    [{ id: '00000000-0000-7000-8000-000000000000' }, 'id', unknown],
    [{ userId: '00000000-0000-7000-8000-000000000000' }, 'userId', unknown],
    [{ createdBy: null }, 'createdBy', unknown],
    [{ organizationId: '00000000-0000-7000-8000-000000000000' }, 'organizationId', unknown],
    [{ version: 1 }, 'version', unknown],
    [{ expiresAt: '2030-01-01T00:00:00Z' }, 'expiresAt', unknown],
  ])('with %j is rejected and creates no invitation', async (input, path, message) => {
    const before = await countInvitations();
    expectProblem(await create(input), 'invalid_request', { errors: [{ path, message }] });
    expect(await countInvitations()).toBe(before);
  });

  test('with a lone surrogate or NUL in the username is rejected', async () => {
    for (const username of ['ana\0', '\ud83dana']) {
      expect(await create({ username })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  test.each(['user', 'admin'] as const)('by a user with the role %s is rejected', async (role) => {
    const person = await signUpAs(service, role);
    const before = await countInvitations();
    expectProblem(await postInvitation(person.browser), 'forbidden');
    expectProblem(await postInvitation(person.browser, { nonsense: 1 }), 'forbidden');
    expectProblem(await person.browser.get(invitationsPath), 'forbidden');
    expectProblem(await person.browser.get(`${invitationsPath}?nonsense=1`), 'forbidden');
    expect(await countInvitations()).toBe(before);
  });

  test('without a session or in a recovery session is rejected', async () => {
    expectProblem(await postInvitation(service.browser()), 'not_authenticated');
    expectProblem(await service.browser().get(invitationsPath), 'not_authenticated');
    const { browser } = await startRecovering(service, await signUpAs(service, 'superadmin'));
    expectProblem(await postInvitation(browser), 'recovery_session');
    expectProblem(await browser.get(invitationsPath), 'recovery_session');
  });

  test('needs fresh authentication, but a request to list invitations does not', async () => {
    const { browser } = await signUpAs(service, 'superadmin');
    await service.turnClock({ minutes: 11 });
    expectProblem(await postInvitation(browser), 'reauthentication_required');
    expect((await browser.get(invitationsPath)).status).toBe(200);
    await service.turnClock({ minutes: -11 });
  });
});

async function countInvitations(): Promise<number> {
  return (await service.database.sql`select from latchkey.invitations`).length;
}
