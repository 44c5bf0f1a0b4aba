import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  auditPath,
  deleteUser,
  found,
  organizationsPath,
  postMember,
  signUpAs,
  usersPath,
} from '../features/support/authority.ts';
import { together } from '../support/many-requests.ts';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { forAllAsync } from './support/for-all.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

/**
 * Inserts accounts with SQL, because sign-ups are slow. Their times of creation and of the last sign-in differ. Both
 * statements are one transaction: an account that changes its last sign-in between two pages can be on both of them.
 */
async function insertUsers(stem: string, count: number): Promise<string[]> {
  return service.database.sql.begin(async (sql) => {
    const rows = await sql<{ id: string }[]>`
      insert into latchkey.users (id, username, display_name, user_handle, created_at)
      select gen_random_uuid(), ${stem}::text || '-' || substr(md5(random()::text), 1, 12), ${stem}::text,
        md5(random()::text), latchkey.clock() - random() * interval '9 days'
      from generate_series(1, ${count}::int) as n
      returning id`;
    const ids = rows.map(({ id }) => id);
    await sql`
      update latchkey.user_sign_ins set last_sign_in_at = latchkey.clock() - random() * interval '1 day'
      where user_id = any(${ids}::uuid[]) and random() < 0.7`;
    return ids;
  });
}

type Read = Record<string, unknown>[];

/** Reads all pages of a list. Other requests run at the same time as each page, and between pages. */
async function readAll(
  path: string,
  name: string,
  query: Record<string, string>,
  write: (page: number) => (() => Promise<unknown>)[],
): Promise<Read> {
  const items: Read = [];
  let page = 0;
  for (let cursor: string | null = ''; cursor !== null; page += 1) {
    const parameters = new URLSearchParams({ ...query, ...(cursor && { cursor }) });
    const [answer] = await together<unknown>([
      () => superadmin.browser.get(`${path}?${parameters}`),
      ...write(page),
    ]);
    const { status, body } = answer as {
      status: number;
      body: Record<string, Read> & { nextCursor: string | null };
    };
    expect(status).toBe(200);
    items.push(...(body[name] ?? []));
    cursor = body.nextCursor;
  }
  return items;
}

const limit = fc.integer({ min: 1, max: 9 });
/** How many accounts appear and disappear during each page. */
const writes = fc.array(fc.record({ inserted: fc.nat(3), deleted: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
});

test('all pages of users contain each remaining user once, with any order and size of the pages, during writes', async () => {
  const order = fc.record({
    sort: fc.constantFrom('username', 'createdAt', 'lastSignIn'),
    order: fc.constantFrom('asc', 'desc'),
    isSearch: fc.boolean(),
  });
  await forAllAsync(
    [order, limit, writes],
    async ({ isSearch, ...list }, size, changes) => {
      const stem = newUsername('paged');
      const stay = await insertUsers(stem, 20);
      const leave = await insertUsers(stem, 5);
      const query = { ...list, limit: `${size}`, ...(isSearch && { search: stem }) };
      const users = await readAll(usersPath, 'users', query, (page) => {
        const { inserted, deleted } = changes[page % changes.length] ?? { inserted: 0, deleted: false };
        const id = deleted ? leave.pop() : undefined;
        return [
          () => insertUsers(stem, page < 20 ? inserted : 0),
          ...(id
            ? [() => deleteUser(superadmin.browser, { signedUp: { body: { user: { id } } } } as Person)]
            : []),
        ];
      });
      const ids = users.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(stay));
    },
    4,
  );
});

test('all pages of the audit log contain each earlier event once, while other events are recorded', async () => {
  await forAllAsync(
    [fc.integer({ min: 5, max: 40 }), fc.array(fc.nat(4), { minLength: 1, maxLength: 4 })],
    async (size, counts) => {
      const { browser } = await signUp(service);
      const before = (await service.database.sql`select id from latchkey.audit_events`).map(({ id }) => id);
      const events = await readAll(auditPath, 'events', { limit: `${size}` }, (page) =>
        Array.from(
          { length: page < 20 ? (counts[page % counts.length] ?? 0) : 0 },
          () => () => browser.get(usersPath),
        ),
      );
      const ids = events.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(before));
    },
    4,
  );
});

test('all pages of members contain each remaining member once, while members are added and removed', async () => {
  await forAllAsync(
    [limit, writes],
    async (size, changes) => {
      const organization = await found(superadmin.browser);
      const join = async (count: number) => {
        const ids = await insertUsers(newUsername('member'), count);
        const named = await service.database
          .sql`select id, username from latchkey.users where id = any(${ids}::uuid[])`;
        for (const { username } of named) await postMember(superadmin.browser, organization, { username });
        return ids;
      };
      const stay = [...(await join(8)), userIdOf(superadmin)];
      const leave = await join(3);
      const path = `${organizationsPath}/${organization.id}/members`;
      const members = await readAll(path, 'members', { limit: `${size}` }, (page) => {
        const { inserted, deleted } = changes[page % changes.length] ?? { inserted: 0, deleted: false };
        const id = deleted ? leave.pop() : undefined;
        return [
          () => join(page < 5 ? inserted : 0),
          ...(id ? [() => superadmin.browser.delete(`${path}/${id}`)] : []),
        ];
      });
      const ids = members.map(
        (member) => (member.user as { id?: string } | undefined)?.id ?? member.userId ?? member.id,
      );
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(stay));
    },
    4,
  );
});
