import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { fullWidth } from '../support/full-width.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { admit, deleteUser, found, inviteTo, signUpAs, signUpMember } from './support/authority.ts';
import {
  acceptReceived,
  declineReceived,
  invitationsOf,
  link,
  offer,
  revokeIn,
} from './support/organization-invitations.ts';

let service: TestService;
let superadmin: Person;
let founder: Person;
let person: Person;
let organization: { id: string; name: string; slug: string };
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
  founder = await signUpAs(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  organization = (await found(founder.browser)) as typeof organization;
  person = await signUp(service);
});

const shown = async (by: Person, further: object) => ({
  id: expect.stringMatching(/^[\da-f-]{36}$/),
  organization: { id: organization.id, name: organization.name, slug: organization.slug },
  role: 'user',
  username: null,
  status: 'pending',
  createdBy: { id: userIdOf(by), username: by.username },
  createdAt: await timeOf(service),
  expiresAt: await timeOf(service, 72 * 3600),
  acceptedBy: null,
  acceptedAt: null,
  ...further,
});

describe('inviting to an organization', () => {
  test('creates an invitation for the user, without a token or URL, if the request contains a username', async () => {
    const { username } = person;
    const answer = await inviteTo(founder.browser, organization, { username });
    expectUncached(answer);
    expect([answer.status, answer.body]).toEqual([
      201,
      { invitation: await shown(founder, { username }), token: null, url: null },
    ]);
    expect(await invitationsOf(founder.browser, organization)).toEqual([answer.body.invitation]);
  });

  test('creates a link if the request contains no username, and stores only the hash of the token', async () => {
    const answer = await inviteTo(founder.browser, organization, { role: 'admin', expiresInHours: 1 });
    const { token } = answer.body;
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        invitation: await shown(founder, { role: 'admin', expiresAt: await timeOf(service, 3600) }),
        token: expect.stringMatching(/^[\w-]{43}$/),
        url: `http://localhost:3000/join#token=${token}`,
      },
    ]);
    const [row] = await service.database.sql`
      select to_jsonb(i)::text as text from latchkey.organization_invitations i
      where id = ${answer.body.invitation.id}`;
    expect(row?.text).not.toContain(token);
    expect(row?.text).toContain(createHash('sha256').update(token).digest('base64url'));
    expect(JSON.stringify(await invitationsOf(founder.browser, organization))).not.toContain(token);
  });

  test('returns a URL on the configured join page', async () => {
    const instance = await startSecondInstance(service, { joinPage: '/teams/join?from=mail' });
    const { body } = await inviteTo(instance.browser(founder.browser.cookies), organization);
    expect(body.url).toBe(`http://localhost:3000/teams/join?from=mail#token=${body.token}`);
    await instance.close();
  });

  test('is allowed only for organization admins and superadmins', async () => {
    const admin = await signUpMember(service, founder.browser, organization, 'admin');
    for (const by of [admin, superadmin]) expect((await inviteTo(by.browser, organization)).status).toBe(201);
    const member = await signUpMember(service, founder.browser, organization);
    expectProblem(await inviteTo(member.browser, organization), 'forbidden');
    expectProblem(await inviteTo(member.browser, organization, { nonsense: 1 }), 'forbidden');
    for (const role of ['user', 'admin'] as const) {
      const stranger = await signUpAs(service, role);
      expectProblem(await inviteTo(stranger.browser, organization), 'not_found');
      expectProblem(await inviteTo(stranger.browser, organization, { nonsense: 1 }), 'not_found');
    }
    expect(await invitationsOf(founder.browser, organization)).toHaveLength(4);
  });

  test('normalizes the username', async () => {
    for (const spell of [fullWidth, (name: string) => ` ${name.toUpperCase()} `]) {
      const { username } = await signUp(service);
      const answer = await inviteTo(founder.browser, organization, { username: spell(username) });
      expect(answer.body.invitation.username).toBe(username);
    }
  });

  test.each([newUsername(), '', 'not a name!', 'x'.repeat(10_000), 'ana@example.org', 'root'])(
    'returns 404 for the username %j',
    async (username) => {
      expectProblem(await inviteTo(founder.browser, organization, { username }), 'not_found');
    },
  );

  test('returns 404 for a deleted account', async () => {
    await deleteUser(superadmin.browser, person);
    const { username } = person;
    expectProblem(await inviteTo(founder.browser, organization, { username }), 'not_found');
  });

  test('rejects a disabled account, a member, and a user with a pending invitation', async () => {
    const disabled = await signUp(service);
    await setStatus(service, disabled, 'disabled');
    const member = await signUpMember(service, founder.browser, organization);
    await offer(founder.browser, organization, person);
    for (const [{ username }, code] of [
      [disabled, 'account_disabled'],
      [member, 'already_a_member'],
      [founder, 'already_a_member'],
      [person, 'already_invited'],
    ] as const) {
      const answer = await inviteTo(founder.browser, organization, { username, role: 'admin' });
      expectProblem(answer, code);
    }
    expect(await invitationsOf(founder.browser, organization)).toHaveLength(2);
  });

  test('succeeds if all other invitations of the user are declined, revoked, expired or for another organization', async () => {
    await offer(founder.browser, await found(founder.browser), person);
    await declineReceived(person.browser, await offer(founder.browser, organization, person));
    const revoked = await offer(founder.browser, organization, person);
    await revokeIn(founder.browser, organization, revoked);
    await offer(founder.browser, organization, person, { expiresInHours: 1 });
    await service.turnClock({ minutes: 60 });
    const fresh = await signUpAs(service, 'superadmin');
    const invitation = await offer(fresh.browser, organization, person);
    expect((await acceptReceived(person.browser, invitation)).status).toBe(200);
    await service.turnClock({ minutes: -60 });
  });

  const unknown = 'this property is unknown';
  const roles = 'expected "user" or "admin"';
  const hours = 'expected whole hours from 1 to 720';
  test.each<[input: object, path: string, message: string]>([
    [{ username: null }, 'username', 'expected a string'],
    [{ username: 5 }, 'username', 'expected a string'],
    [{ role: 'superadmin' }, 'role', roles],
    [{ role: null }, 'role', 'expected a string'],
    [{ expiresInHours: 0 }, 'expiresInHours', hours],
    [{ expiresInHours: 721 }, 'expiresInHours', hours],
    [{ expiresInHours: 1.5 }, 'expiresInHours', hours],
    [{ expiresInHours: '1' }, 'expiresInHours', hours],
    [{ userId: '00000000-0000-7000-8000-000000000000' }, 'userId', unknown],
    [{ token: 'mine' }, 'token', unknown],
    [{ createdBy: null }, 'createdBy', unknown],
  ])('rejects the body %j', async (input, path, message) => {
    const answer = await inviteTo(founder.browser, organization, input);
    expectProblem(answer, 'invalid_request', { errors: [{ path, message }] });
  });
});

describe('the limit of 100 pending invitations for each organization', () => {
  const fill = (count: number) => service.database.sql`
    insert into latchkey.organization_invitations
      (id, organization_id, token_hash, role, created_at, expires_at)
    select gen_random_uuid(), ${organization.id}, gen_random_uuid()::text, 'user', latchkey.clock(),
      latchkey.clock() + interval '1 hour'
    from generate_series(1, ${count}::integer)`;

  test('allows a new invitation after one is revoked', async () => {
    await fill(99);
    const { invitation } = await link(founder.browser, organization);
    expectProblem(await inviteTo(founder.browser, organization), 'too_many_invitations');
    const { username } = person;
    expectProblem(await inviteTo(superadmin.browser, organization, { username }), 'too_many_invitations');
    await revokeIn(founder.browser, organization, invitation);
    expect((await inviteTo(founder.browser, organization, { username })).status).toBe(201);
    expectProblem(await inviteTo(founder.browser, organization), 'too_many_invitations');
    expect((await inviteTo(founder.browser, await found(founder.browser))).status).toBe(201);
  });

  test('holds for twenty concurrent requests in two processes', async () => {
    await fill(95);
    const otherInstance = await startSecondInstance(service);
    const browsers = [founder.browser, otherInstance.browser(founder.browser.cookies)];
    const answers = await together(
      times(10, browsers)
        .flat()
        .map((browser) => () => inviteTo(browser, organization)),
    );
    expect(sortedStatuses(answers)).toEqual([...times(5, 201), ...times(15, 409)]);
    await otherInstance.close();
  });
});

test('a user who is invited by 20 concurrent requests in two processes gets one invitation (5 rounds)', async () => {
  const otherInstance = await startSecondInstance(service);
  const browsers = [founder.browser, otherInstance.browser(founder.browser.cookies)];
  for (let round = 0; round < 5; round += 1) {
    const { username } = await signUp(service);
    const answers = await together(
      times(10, browsers)
        .flat()
        .map((browser) => () => inviteTo(browser, organization, { username })),
    );
    expect(sortedStatuses(answers)).toEqual([201, ...times(19, 409)]);
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body.code).toBe('already_invited');
  }
  expect(await invitationsOf(founder.browser, organization)).toHaveLength(5);
  await otherInstance.close();
});

describe('one audit event with the organization’s id is written', () => {
  const row = (by: Person, further: object) => [
    expect.objectContaining({
      actor_id: userIdOf(by),
      organization_id: organization.id,
      event: 'organization_invitation.create',
      ...further,
    }),
  ];

  test('for each invitation and each link, and names the invited user if there is one', async () => {
    for (const username of [person.username, null]) {
      const answer = await inviteTo(founder.browser, organization, username ? { username } : {});
      expect(await wholeAuditRowsOf(service, answer)).toEqual(
        row(founder, {
          outcome: 'success',
          target_type: 'invitation',
          target_id: answer.body.invitation.id,
          target_name: username,
          details: { role: 'user', expiresInHours: 72 },
        }),
      );
    }
  });

  test('for each rejected request, with the reason', async () => {
    const member = await signUpMember(service, founder.browser, organization);
    const stranger = await signUpAs(service, 'admin');
    await admit(founder.browser, organization, person);
    for (const [by, input, reason, target_type] of [
      [member, {}, 'not_an_organization_admin', 'organization'],
      [stranger, {}, 'not_a_member', 'organization'],
      [founder, { username: 'no-such-user' }, 'username_unknown', 'user'],
      [founder, { username: person.username }, 'already_a_member', 'user'],
    ] as const) {
      const answer = await inviteTo(by.browser, organization, input);
      expect(await wholeAuditRowsOf(service, answer)).toEqual(
        row(by, { outcome: 'failure', details: { reason }, target_type }),
      );
    }
  });
});
