import type { Member } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { fullWidth } from '../support/full-width.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { auditRowsAbout } from './support/audit-log.ts';
import { deleteUser, found, postMember, signUpAs, signUpMember } from './support/authority.ts';
import { getOrganization, membersOf, organizationPath } from './support/organizations.ts';

let service: TestService;
let superadmin: Person;
let founder: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
  organization = await found(founder.browser);
});
afterAll(() => service.close());

const post = (input: object, browser = superadmin.browser) =>
  browser.post(`${organizationPath(organization)}/members`, input);
const members = () => membersOf(founder.browser, organization);

describe('adding a user to an organization without an invitation', () => {
  test.each<[role: 'user' | 'admin', given: object]>([
    ['user', {}],
    ['user', { role: 'user' }],
    ['admin', { role: 'admin' }],
  ])('makes the user a member with the role %s if the body has a username and %j', async (role, given) => {
    const person = await signUp(service);
    const answer = await post({ username: person.username, ...given });
    expectUncached(answer);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        member: {
          user: { id: userIdOf(person), username: person.username, displayName: null },
          role,
          joinedAt: await timeOf(service),
        },
      },
    ]);
    const { body } = await getOrganization(person.browser, organization);
    expect(body.organization.myRole).toBe(role);
    expect((await person.browser.get('/auth/session')).body.user.role).toBe('user');
  });

  test('is rejected for organization admins and members, because only superadmins can do it', async () => {
    const person = await signUp(service);
    for (const role of ['admin', 'user'] as const) {
      const by = await signUpMember(service, founder.browser, organization, role);
      expectProblem(await postMember(by.browser, organization, person), 'forbidden');
      expectProblem(await postMember(by.browser, organization, by, 'admin'), 'forbidden');
      expectProblem(await post({ nonsense: 1 }, by.browser), 'forbidden');
    }
    expectProblem(await postMember(founder.browser, organization, person), 'forbidden');
    expect(await members()).not.toHaveProperty(person.username);
    expect((await postMember(superadmin.browser, organization, person, 'admin')).status).toBe(201);
  });

  test('returns 404 to users who are not members, even for their own account', async () => {
    for (const role of ['user', 'admin'] as const) {
      const stranger = await signUpAs(service, role);
      expectProblem(await postMember(stranger.browser, organization, stranger, 'admin'), 'not_found');
      expectProblem(await post({ nonsense: 1 }, stranger.browser), 'not_found');
      expect(await members()).not.toHaveProperty(stranger.username);
    }
  });

  test('accepts the username in full-width letters, in capitals and with spaces around it', async () => {
    for (const written of [fullWidth, (name: string) => ` ${name.toUpperCase()} `]) {
      const person = await signUp(service);
      const answer = await post({ username: written(person.username) });
      expect(answer.body.member.user).toMatchObject({ id: userIdOf(person), username: person.username });
    }
  });

  test('adds admins and superadmins as members with the role `user`', async () => {
    for (const role of ['admin', 'superadmin'] as const) {
      const person = await signUpAs(service, role);
      expect((await post({ username: person.username })).body.member.role).toBe('user');
      expect((await person.browser.get('/auth/session')).body.user.role).toBe(role);
    }
  });

  test.each([newUsername(), '', 'not a name!', 'x'.repeat(10_000), 'ana@example.org', 'root'])(
    'returns 404 for the username %j',
    async (username) => {
      const before = await members();
      expectProblem(await post({ username }), 'not_found');
      expect(await members()).toEqual(before);
    },
  );

  test('returns 404 for a deleted account', async () => {
    const person = await signUp(service);
    await deleteUser(superadmin.browser, person);
    expectProblem(await post({ username: person.username }), 'not_found');
  });

  test('is rejected for a disabled user', async () => {
    const person = await signUp(service);
    await setStatus(service, person, 'disabled');
    expectProblem(await post({ username: person.username }), 'account_disabled');
    expect(await members()).not.toHaveProperty(person.username);
  });

  test('is rejected for a user who is already a member, whatever role is requested', async () => {
    const member = await signUpMember(service, founder.browser, organization);
    const before = (await founder.browser.get(`${organizationPath(organization)}/members?limit=200`)).body;
    await service.turnClock({ minutes: 1 });
    expectProblem(await postMember(superadmin.browser, organization, member, 'admin'), 'already_a_member');
    expectProblem(await postMember(superadmin.browser, organization, founder, 'user'), 'already_a_member');
    const after = (await founder.browser.get(`${organizationPath(organization)}/members?limit=200`)).body;
    expect(after).toEqual(before);
  });

  const unknown = 'this property is unknown';
  const roles = 'expected "user" or "admin"';
  test.each<[input: object, path: string, message: string]>([
    [{}, 'username', 'this property is required'],
    [{ username: null }, 'username', 'expected a string'],
    [{ username: 5 }, 'username', 'expected a string'],
    [{ username: 'ana', role: 'superadmin' }, 'role', roles],
    [{ username: 'ana', role: 'owner' }, 'role', roles],
    [{ username: 'ana', role: null }, 'role', 'expected a string'],
    [{ username: 'ana', role: ['admin'] }, 'role', 'expected a string'],
    [{ username: 'ana', userId: '00000000-0000-7000-8000-000000000000' }, 'userId', unknown],
    [{ username: 'ana', organizationId: '00000000-0000-7000-8000-000000000000' }, 'organizationId', unknown],
    [{ username: 'ana', version: 1 }, 'version', unknown],
    [{ username: 'ana', joinedAt: '2020-01-01T00:00:00Z' }, 'joinedAt', unknown],
  ])('is rejected for the body %j', async (input, path, message) => {
    expectProblem(await post(input), 'invalid_request', { errors: [{ path, message }] });
  });

  test('adds the user only once if 20 concurrent requests arrive in two processes (8 rounds)', async () => {
    const instance = await startSecondInstance(service);
    const browsers: TestAgent[] = [superadmin.browser, instance.browser(superadmin.browser.cookies)];
    for (let round = 0; round < 8; round += 1) {
      const person = await signUp(service);
      const answers = await together(
        times(10, browsers)
          .flat()
          .map((browser, n) => () => postMember(browser, organization, person, n % 4 < 2 ? 'user' : 'admin')),
      );
      expect(sortedStatuses(answers)).toEqual([201, ...times(19, 409)]);
      const added = answers.find(({ status }) => status === 201);
      expect((await members())[person.username]).toBe(added?.body.member.role);
      const outcomes = (await auditRowsAbout(service, person, 'member.add')).map(({ outcome }) => outcome);
      expect(outcomes.sort()).toEqual([...times(19, 'failure'), 'success']);
    }
    await instance.close();
  });
});

describe('the list of members', () => {
  const list = (browser: TestAgent, one: { id: string }, query = '') =>
    browser.get(`${organizationPath(one)}/members${query}`);
  const namesIn = (shown: Member[]) => shown.map(({ user }) => user.username);

  test('is sorted by username, is split into pages, and shows the role and joining time of each member', async () => {
    const own = await found(founder.browser);
    const founded = await timeOf(service);
    await service.turnClock({ seconds: 30 });
    const stem = newUsername('member');
    const names = ['d', 'b', 'a', 'c'].map((letter) => `${stem}-${letter}`);
    for (const username of names) {
      await postMember(superadmin.browser, own, await signUp(service, { username }), 'user');
    }
    const ordered = [...names, founder.username].sort();
    const answer = await list(founder.browser, own);
    expectUncached(answer);
    expect(namesIn(answer.body.members)).toEqual(ordered);
    const [first, last] = [answer.body.members[0], answer.body.members.at(-1)];
    expect(first).toEqual({
      user: { id: expect.any(String), username: `${stem}-a`, displayName: null },
      role: 'user',
      joinedAt: await timeOf(service),
    });
    expect(last).toEqual({
      user: { id: userIdOf(founder), username: founder.username, displayName: null },
      role: 'admin',
      joinedAt: founded,
    });
    const pages: string[][] = [];
    let cursor = '';
    do {
      const { body } = await list(founder.browser, own, `?limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(namesIn(body.members));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual([ordered.slice(0, 2), ordered.slice(2, 4), ordered.slice(4)]);
  });

  test('is visible to members and superadmins, and returns 404 to other users', async () => {
    const member = await signUpMember(service, founder.browser, organization);
    const shown = (await list(founder.browser, organization)).body;
    for (const { browser } of [member, superadmin]) {
      expect((await list(browser, organization)).body).toEqual(shown);
    }
    for (const role of ['user', 'admin'] as const) {
      const { browser } = await signUpAs(service, role);
      expectProblem(await list(browser, organization), 'not_found');
      expectProblem(await list(browser, organization, '?nonsense=1'), 'not_found');
    }
    expectProblem(await list(service.browser(), organization), 'not_authenticated');
  });

  test('contains disabled users, but no deleted users', async () => {
    const own = await found(founder.browser);
    const [gone, disabled] = [
      await signUpMember(service, founder.browser, own),
      await signUpMember(service, founder.browser, own),
    ];
    await gone.browser.delete('/auth/account');
    await setStatus(service, disabled, 'disabled');
    expect(await membersOf(founder.browser, own)).toEqual({
      [founder.username]: 'admin',
      [disabled.username]: 'user',
    });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('Not a name!').toString('base64url')}`, 'cursor'],
    ['role=admin', 'role'],
  ])('rejects ?%s', async (query, path) => {
    const answer = await list(founder.browser, organization, `?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors).toMatchObject([{ path }]);
  });
});
