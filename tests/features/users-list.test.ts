import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthenticator, newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { deleteUser, signUpAs, usersPath } from './support/authority.ts';
import { startRecovering } from './support/recovery.ts';
import { time } from './support/wire-format.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const ask = (query: Record<string, string>, { browser } = superadmin) =>
  browser.get(`${usersPath}?${new URLSearchParams(query)}`);

async function found(query: Record<string, string>, person?: Person): Promise<string[]> {
  const { status, body } = await ask(query, person);
  expect(status).toBe(200);
  return body.users.map(({ username }: { username: string }) => username);
}

async function signUpNamed(displayName: string, username = newUsername()): Promise<Person> {
  const browser = service.browser();
  const authenticator = newAuthenticator();
  const { options } = (await browser.post('/auth/passkey/register/start', { username, displayName })).body;
  const credential = await authenticator.create(options);
  const signedUp = await browser.post('/auth/passkey/register/verify', { credential });
  expect(signedUp.status).toBe(201);
  return { username, browser, authenticator, signedUp };
}

describe('a search for users', () => {
  test('matches only the beginning of a username', async () => {
    for (const username of ['search-ann', 'search-anna', 'ann-search']) await signUp(service, { username });
    expect(await found({ query: 'search-ann' })).toEqual(['search-ann', 'search-anna']);
    expect(await found({ query: 'search-anna' })).toEqual(['search-anna']);
    expect(await found({ query: 'earch-ann' })).toEqual([]);
    expect(await found({ query: 'search-annabel' })).toEqual([]);
  });

  test('matches only the beginning of a display name', async () => {
    const { username } = await signUpNamed('Ōita Émile Strand');
    for (const query of ['Ōita', 'ōita é', 'ŌITA ÉMILE', 'Ōita Émile Strand']) {
      expect(await found({ query })).toEqual([username]);
    }
    for (const query of ['Émile', 'Strand', 'Ōita Émile Strand ']) expect(await found({ query })).toEqual([]);
  });

  test('matches one or more characters, even outside of the Basic Multilingual Plane', async () => {
    const { username } = await signUpNamed('𝒵😀Ø𝓍 five');
    for (const query of ['𝒵', '𝒵😀', '𝒵😀ø', '𝒵😀Ø𝓍', '𝒵😀Ø𝓍 f'])
      expect(await found({ query })).toEqual([username]);
    for (const query of ['😀', '𝒵😀Ø𝓎', '𝒵😀Ø𝓍 five.']) expect(await found({ query })).toEqual([]);
  });

  test('ignores case', async () => {
    await signUp(service, { username: 'casing-one' });
    const { username } = await signUpNamed('cASINg Two');
    expect(await found({ query: 'CASING' })).toEqual(['casing-one', username].sort());
    expect(await found({ query: 'casing' })).toEqual(['casing-one', username].sort());
  });

  test('finds a user only once if both the username and the display name match', async () => {
    await signUpNamed('Twofold', 'twofold');
    expect(await found({ query: 'twofold' })).toEqual(['twofold']);
  });

  test.each([
    ['a percent sign', '50%', ['50% off', '50%'], ['500 off', '50', '5']],
    ['an underscore', 'a_b', ['a_b', 'A_Bc'], ['axb', 'a-b']],
    ['a backslash', 'c:\\d', ['c:\\d', 'C:\\Docs'], ['c:d', 'c:\\\\d']],
    ['a backslash at the end', 'tail\\', ['tail\\', 'tail\\%'], ['tail', 'tail%']],
    ['a quote', "o'n", ["O'Neill"], ['on', 'o"n']],
  ])('matches %s literally', async (_, query, hits, misses) => {
    const expected: string[] = [];
    for (const name of hits) expected.push((await signUpNamed(name)).username);
    for (const name of misses) await signUpNamed(name);
    expect((await found({ query })).sort()).toEqual(expected.sort());
  });

  test('matches the wildcards _ and % literally in usernames', async () => {
    for (const username of ['wild_one', 'wild-one', 'wildxone']) await signUp(service, { username });
    expect(await found({ query: 'wild_' })).toEqual(['wild_one']);
    expect(await found({ query: 'wil%' })).toEqual([]);
  });

  test('finds all users with an empty query', async () => {
    expect(await found({ query: '', limit: '200' })).toEqual(await found({ limit: '200' }));
    expect((await found({ limit: '200' })).length).toBeGreaterThan(5);
  });

  test.each([
    ['with a query longer than any name', { query: 'x'.repeat(255) }, 'query'],
    ['with a NUL character in the query', { query: 'a\0b' }, 'query'],
    ['with an unknown role', { role: 'root' }, 'role'],
    ['with an empty role', { role: '' }, 'role'],
    ['with an unknown status', { status: 'deleted' }, 'status'],
    ['with an unknown parameter', { email: 'a' }, 'email'],
  ])('is rejected %s', async (_, query, path) => {
    const answer = await ask(query as unknown as Record<string, string>);
    expectProblem(answer, 'invalid_request', { errors: [{ path, message: expect.any(String) }] });
  });

  test.each(['role=user&role=admin', 'query=a&query=b', 'status=active&status=disabled'])(
    'is rejected with a repeated parameter, for example %s',
    async (query) => {
      expect((await superadmin.browser.get(`${usersPath}?${query}`)).body.code).toBe('invalid_request');
    },
  );
});

describe('a search with filters', () => {
  test('finds the users who match the query, the role and the status', async () => {
    const stem = 'filtered';
    const roles = ['user', 'admin', 'superadmin'] as const;
    for (const role of roles) {
      for (const status of ['active', 'disabled'] as const) {
        const person = await signUpAs(service, role, `${stem}-${role}-${status}`);
        await setStatus(service, person, status);
      }
    }
    const names = (wanted: RegExp) =>
      roles
        .flatMap((role) => ['active', 'disabled'].map((status) => `${stem}-${role}-${status}`))
        .filter((name) => wanted.test(name))
        .sort();
    const query = stem;
    expect(await found({ query })).toEqual(names(/./));
    for (const role of roles) {
      expect(await found({ query, role })).toEqual(names(new RegExp(`-${role}-`)));
      expect(await found({ query, role, status: 'disabled' })).toEqual([`${stem}-${role}-disabled`]);
    }
    expect(await found({ query, status: 'active' })).toEqual(names(/-active$/));
    expect(await found({ query, status: 'disabled' })).toEqual(names(/-disabled$/));
  });
});

describe('the representation of a user', () => {
  test('contains exactly the public properties, both in the list and when a single user is read', async () => {
    const person = await signUpNamed('Listed User', newUsername('listed'));
    const user = {
      id: userIdOf(person),
      username: person.username,
      displayName: 'Listed User',
      role: 'user',
      status: 'active',
      createdAt: expect.stringMatching(time),
    };
    const { body } = await ask({ query: person.username });
    expect(body).toEqual({ users: [user], nextCursor: null });
    expect((await superadmin.browser.get(`${usersPath}/${userIdOf(person)}`)).body).toEqual({
      user: { ...user, disabledReason: null },
    });
  });

  test('shows that the user is disabled', async () => {
    const person = await signUp(service);
    await setStatus(service, person, 'disabled');
    const { body } = await superadmin.browser.get(`${usersPath}/${userIdOf(person)}`);
    expect(body.user).toMatchObject({ id: userIdOf(person), status: 'disabled' });
  });

  test('is not returned after the user is deleted', async () => {
    const person = await signUpNamed('Soon Gone', newUsername('gone'));
    expect((await deleteUser(superadmin.browser, person)).status).toBe(204);
    for (const query of [person.username, 'Soon Gone', 'gone']) {
      expect(await found({ query })).toEqual([]);
      for (const status of ['active', 'disabled']) expect(await found({ query, status })).toEqual([]);
    }
    expect(await found({ status: 'disabled', limit: '200' })).not.toContain(person.username);
    expectProblem(await superadmin.browser.get(`${usersPath}/${userIdOf(person)}`), 'not_found');
  });

  test.each(['1', 'null', '%00', '00000000-0000-7000-8000-000000000000', '..%2F'])(
    'is not returned for the id %s',
    async (id) => {
      expectProblem(await superadmin.browser.get(`${usersPath}/${id}`), 'not_found');
    },
  );
});

describe('users cannot be read', () => {
  test('without a session', async () => {
    const browser = service.browser();
    expectProblem(await browser.get(usersPath), 'not_authenticated');
    expectProblem(await browser.get(`${usersPath}/${userIdOf(superadmin)}`), 'not_authenticated');
  });

  test('in a recovery session', async () => {
    const { browser } = await startRecovering(service, await signUpAs(service, 'superadmin'));
    expectProblem(await browser.get(usersPath), 'recovery_session');
    expectProblem(await browser.get(`${usersPath}/${userIdOf(superadmin)}`), 'recovery_session');
  });

  test('by a caller with the role user, not even the caller’s own account, and the attempt is recorded', async () => {
    const person = await signUp(service);
    const reads = [
      ['user.list', usersPath, null],
      ['user.list', `${usersPath}?limit=0`, null],
      ['user.get', `${usersPath}/${userIdOf(person)}`, userIdOf(person)],
      ['user.get', `${usersPath}/${userIdOf(superadmin)}`, userIdOf(superadmin)],
      ['user.get', `${usersPath}/1`, null],
    ] as const;
    for (const [event, path, target] of reads) {
      const answer = await person.browser.get(path);
      expectProblem(answer, 'forbidden');
      expect(await auditRowsOf(service, answer)).toMatchObject([
        {
          event,
          outcome: 'failure',
          actor_name: person.username,
          target_id: target,
          details: { reason: 'role_too_low' },
        },
      ]);
    }
  });

  test('after a demotion to the role user', async () => {
    const person = await signUpAs(service, 'superadmin');
    expect((await person.browser.get(usersPath)).status).toBe(200);
    await service.auth.asOperator('ops').users.changeRole(person.username, 'user');
    expectProblem(await person.browser.get(usersPath), 'forbidden');
  });
});
