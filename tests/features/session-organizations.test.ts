import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { found, signUpAs } from './support/authority.ts';
import { deleteMembership, setMembership } from './support/organizations.ts';
import { startRecovering } from './support/recovery.ts';

const path = '/auth/session?include=organizations';

let service: TestService;
let person: Person;
const slugs = { engines: newUsername('org'), bakers: newUsername('org'), others: newUsername('org') };
beforeAll(async () => {
  service = await startTestService();
  const { browser } = await signUpAs(service, 'admin');
  person = await signUp(service);
  const engines = await found(browser, { name: 'engines', slug: slugs.engines });
  const bakers = await found(browser, { name: 'Bakers', slug: slugs.bakers });
  await found(browser, { name: 'Others', slug: slugs.others });
  await setMembership(service, engines, person, 'admin');
  await setMembership(service, bakers, person, 'user');
});
afterAll(() => service.close());

const expected = () => [
  { id: expect.any(String), slug: slugs.bakers, name: 'Bakers', role: 'user' },
  { id: expect.any(String), slug: slugs.engines, name: 'engines', role: 'admin' },
];

describe('`GET /session?include=organizations`', () => {
  test('adds the organizations of the user, sorted by name, with the role of the user', async () => {
    const { body } = await person.browser.get(path);
    expect(body.organizations).toEqual(expected());
    expect(body).toEqual({ ...(await person.browser.get('/auth/session')).body, organizations: expected() });
  });

  test('adds an empty list for a user without organizations, also for superadmins', async () => {
    for (const role of ['user', 'superadmin'] as const) {
      const { browser } = await signUpAs(service, role);
      expect((await browser.get(path)).body.organizations).toEqual([]);
    }
  });

  test('follows a change of the memberships at once', async () => {
    const { browser } = await signUpAs(service, 'admin');
    const organization = await found(browser, { name: 'Short-lived' });
    const names = async () => (await browser.get(path)).body.organizations.map(nameOf);
    expect(await names()).toEqual(['Short-lived']);
    await browser.delete(`/auth/organizations/${organization.id}`);
    expect(await names()).toEqual([]);
  });

  test('shows at most 100 organizations', async () => {
    const { browser, signedUp } = await signUp(service);
    const userId = signedUp.body.user.id;
    await service.database.sql`
      with added as (
        insert into latchkey.organizations (id, name, slug, created_at)
        select gen_random_uuid(), 'Number ' || n, ${`${newUsername('n')}-`} || n, now()
        from generate_series(1, 120) as n returning id
      )
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select id, ${userId}, 'user', now() from added`;
    expect((await browser.get(path)).body.organizations).toHaveLength(100);
  });

  test('shows no organizations in a recovery session', async () => {
    const user = await signUp(service);
    const organization = await found((await signUpAs(service, 'admin')).browser);
    await setMembership(service, organization, user, 'user');
    expect((await user.browser.get(path)).body.organizations).toHaveLength(1);
    const { browser } = await startRecovering(service, user);
    expect((await browser.get(path)).body).toMatchObject({
      session: { kind: 'recovery' },
      organizations: [],
    });
  });

  test('without a session, returns the same response as without `include`', async () => {
    expectProblem(await service.browser().get(path), 'not_authenticated');
    expect((await service.browser().get(`${path}&optional`)).body).toEqual({ user: null });
  });

  test.each(['users', '', 'organizations,organizations', 'organizations&include=organizations'])(
    'rejects include=%s',
    async (include) => {
      const answer = await person.browser.get(`/auth/session?include=${include}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('`auth.sessionOf`', () => {
  const request = () => cookieHeader(person.browser);

  test('returns the organizations of the user with `include`, and not without it', async () => {
    const read = await service.auth.sessionOf(request(), { include: ['organizations'] });
    expect(read?.organizations).toEqual(expected());
    expect(read?.user.username).toBe(person.username);
    expect(await service.auth.sessionOf(request())).not.toHaveProperty('organizations');
    expect(await service.auth.sessionOf({}, { include: ['organizations'] })).toBeNull();
  });

  test.each([[['users']], [[]], [[undefined]], ['organizations'], [null]])(
    'throws TypeError for include: %j',
    async (include) => {
      const options = { include } as unknown as { include: ['organizations'] };
      await expect(service.auth.sessionOf(request(), options)).rejects.toThrow(
        new TypeError("sessionOf: include: expected ['organizations']"),
      );
    },
  );

  test('returns no organizations of a recovery session', async () => {
    const { browser } = await startRecovering(service);
    const options = { allowRecovery: true, include: ['organizations'] } as const;
    expect(await service.auth.sessionOf(cookieHeader(browser), options)).toMatchObject({
      organizations: [],
    });
  });
});

test('a removed member no longer sees the organization in the session', async () => {
  const { browser } = await signUpAs(service, 'admin');
  const organization = await found(browser);
  const user = await signUp(service);
  await setMembership(service, organization, user, 'user');
  expect((await user.browser.get(path)).body.organizations).toHaveLength(1);
  await deleteMembership(service, organization, user);
  expect((await user.browser.get(path)).body.organizations).toEqual([]);
});

test('the in-memory database also returns the organizations of a session', async () => {
  const memory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const user = await signUp(memory, { username: 'ada' });
  const { organizations } = memory.auth.asOperator('ops');
  await organizations.create({ name: 'zebras', admin: 'ada' });
  await organizations.create({ name: 'Ants', admin: 'ada' });
  expect((await user.browser.get(path)).body.organizations).toMatchObject([
    { slug: 'ants', role: 'admin' },
    { slug: 'zebras', role: 'admin' },
  ]);
  await memory.close();
});

const nameOf = ({ name }: { name: string }) => name;
