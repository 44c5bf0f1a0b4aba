import type { Member } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { deleteAccount, found, signUpAs, signUpMember } from './support/authority.ts';
import { organizationPath, setMembership } from './support/organizations.ts';

let service: TestService;
let founder: Person;
let organization: { id: string; slug: string };
const stem = newUsername('m');
beforeAll(async () => {
  service = await startTestService();
  founder = await signUpAs(service, 'admin');
  organization = await found(founder.browser);
  await join(`${stem}-ada`, 'Countess Lovelace');
  await join(`${stem}-bob`, '100%_sure');
  await join(`${stem}-cleo`, null);
  const other = await found(founder.browser);
  await join(`${stem}-ada-elsewhere`, 'Countess of Elsewhere', other);
});
afterAll(() => service.close());

/** Signs up a user with a display name, and makes the user a member. */
async function join(username: string, displayName: string | null, where = organization): Promise<Person> {
  const person = await signUp(service, { username });
  await person.browser.patch('/auth/account', { displayName });
  await setMembership(service, where, person, 'user');
  return person;
}

const search = (browser: TestAgent, query: string, more = '') =>
  browser.get(`${organizationPath(organization)}/members?query=${encodeURIComponent(query)}${more}`);

async function foundBy(query: string): Promise<string[]> {
  const { status, body } = await search(founder.browser, query);
  expect(status).toBe(200);
  return (body.members as Member[]).map(({ user }) => user.username.replace(`${stem}-`, ''));
}

describe('a search among the members of an organization', () => {
  test.each([
    ['the beginning of a username', `${stem}-ad`, ['ada']],
    ['the beginning of a username in capitals', `${stem}-AD`.toUpperCase(), ['ada']],
    ['the beginning of a display name, whatever the case', 'counTESS L', ['ada']],
    ['one character of a display name', 'c', ['ada']],
    ['two characters of a display name', 'co', ['ada']],
    ['a display name with characters that LIKE treats as wildcards', '100%_', ['bob']],
    ['a common beginning, sorted by username', `${stem}-`, ['ada', 'bob', 'cleo']],
  ])('finds %s', async (_, query, names) => {
    expect(await foundBy(query)).toEqual(names);
  });

  test.each([
    ['the middle of a username', `${stem.slice(1)}`],
    ['the middle of a display name', 'Lovelace'],
    ['a wildcard', '%'],
    ['members of another organization', `${stem}-ada-elsewhere`],
    ['display names of members of another organization', 'Countess of'],
  ])('does not find %s', async (_, query) => {
    expect(await foundBy(query)).toEqual([]);
  });

  test('returns what a member picker shows', async () => {
    const { body } = await search(founder.browser, `${stem}-ada`);
    expect(body).toEqual({
      members: [
        {
          user: { id: expect.any(String), username: `${stem}-ada`, displayName: 'Countess Lovelace' },
          role: 'user',
          joinedAt: expect.any(String),
        },
      ],
      nextCursor: null,
    });
  });

  test('returns the members in pages', async () => {
    const first = await search(founder.browser, `${stem}-`, '&limit=2');
    expect(first.body.members).toHaveLength(2);
    const next = await search(founder.browser, `${stem}-`, `&limit=2&cursor=${first.body.nextCursor}`);
    expect(next.body).toMatchObject({
      members: [{ user: { username: `${stem}-cleo` } }],
      nextCursor: null,
    });
  });

  test('with an empty text finds all members', async () => {
    expect(await foundBy('')).toEqual(expect.arrayContaining(['ada', 'bob', 'cleo', founder.username]));
  });

  test('does not find deleted users', async () => {
    const leaver = await join(`${stem}-zoe`, 'Zoe');
    expect(await foundBy(`${stem}-z`)).toEqual(['zoe']);
    expect((await deleteAccount(leaver.browser)).status).toBe(204);
    expect(await foundBy(`${stem}-z`)).toEqual([]);
  });

  test('is refused for a text of more than 254 characters, and for two texts', async () => {
    const { browser } = founder;
    expect((await search(browser, 'a'.repeat(254))).status).toBe(200);
    const long = await search(browser, 'a'.repeat(255));
    expectProblem(long, 'invalid_request', {
      errors: [{ path: 'query', message: 'expected at most 254 characters' }],
    });
    expect((await search(browser, 'a', '&query=b')).status).toBe(400);
  });

  test('is allowed for members, and not for other users', async () => {
    const member = await signUpMember(service, founder.browser, organization);
    expect((await search(member.browser, stem)).body.members).toHaveLength(3);
    const stranger = await signUp(service);
    expectProblem(await search(stranger.browser, stem), 'not_found');
  });
});

describe('in a large organization, where the search reads users before members,', () => {
  let large: { id: string };
  beforeAll(async () => {
    large = await found(founder.browser);
    await service.database.sql.unsafe(`
      set session_replication_role = replica;
      with added as (
        insert into latchkey.users (id, username, skeleton, display_name, user_handle, created_at)
        select gen_random_uuid(), 'crowd-' || lpad(n::text, 5, '0'), 'crowd' || n,
          case when n % 1000 = 7 then 'Face ' || n end, 'crowd-' || n, now()
        from generate_series(1, 6000) as n
        returning id, username
      )
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select '${large.id}', id, 'user', now() from added where username <= 'crowd-05500';
      reset session_replication_role;`);
  });
  const list = async (query = '', more = '') => {
    const path = `/auth/organizations/${large.id}/members?limit=3&query=${query}${more}`;
    const { status, body } = await founder.browser.get(path);
    expect(status).toBe(200);
    return { ...body, names: (body.members as Member[]).map(({ user }) => user.username) };
  };

  test('lists the members in pages', async () => {
    const first = await list();
    expect(first.names).toEqual(['crowd-00001', 'crowd-00002', 'crowd-00003']);
    expect((await list('', `&cursor=${first.nextCursor}`)).names).toEqual([
      'crowd-00004',
      'crowd-00005',
      'crowd-00006',
    ]);
  });

  test('finds usernames and display names, once each', async () => {
    expect((await list('crowd-0500')).names).toEqual(['crowd-05000', 'crowd-05001', 'crowd-05002']);
    const faces = await list('face');
    expect(faces.names).toEqual(['crowd-00007', 'crowd-01007', 'crowd-02007']);
    expect((await list('face', `&cursor=${faces.nextCursor}`)).names).toEqual([
      'crowd-03007',
      'crowd-04007',
      'crowd-05007',
    ]);
    await service.database.sql`
      update latchkey.users set display_name = 'crowd' where username = 'crowd-05001'`;
    expect((await list('crowd-0500')).names).toEqual(['crowd-05000', 'crowd-05001', 'crowd-05002']);
  });

  test('does not find users who are not members', async () => {
    expect((await list('crowd-055')).names).toEqual(['crowd-05500']);
    expect((await list('crowd-056')).names).toEqual([]);
    expect(await list(stem)).toMatchObject({ members: [], nextCursor: null });
  });
});

test('the search also works in the in-memory database', async () => {
  const memory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const person = await signUp(memory, { username: 'ada' });
  await person.browser.patch('/auth/account', { displayName: 'Countess' });
  const { organizations } = memory.auth.asOperator('ops');
  await organizations.create({ name: 'Engines', admin: 'ada' });
  for (const query of [undefined, 'ad', 'count'])
    expect((await organizations.listMembers('engines', { query })).members).toMatchObject([
      { user: { username: 'ada' }, role: 'admin' },
    ]);
  expect((await organizations.listMembers('engines', { query: 'bob' })).members).toEqual([]);
  await memory.close();
});
