import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '../../src/core/database.ts';
import { fromPostgresClient } from '../../src/db/postgres.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import { acts } from '../features/support/session-acts.ts';
import { changesIn } from '../support/missing-invalidation.ts';
import { logIn, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let client: postgres.Sql;
let service: ServiceOn;
const sent: Statement[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, { onnotice: () => {} });
  const { query } = fromPostgresClient(client);
  const recording = {
    query: <Row extends object>(statement: Statement) => {
      sent.push(statement);
      return query<Row>(statement);
    },
  };
  service = await startServiceOn(recording, { bcryptCost: 4 });
  for (const prepare of Object.values(acts)) {
    const { act } = await prepare({ service, sql: database.sql });
    await act();
  }
});
afterAll(async () => {
  await service.close();
  await client.end({ timeout: 1 });
  await database.drop();
});

describe('the statements that change sessions or their users', () => {
  test('list one user id in `invalidates` for each part that changes rows', () => {
    for (const statement of sent) {
      const changes = changesIn(statement);
      expect([statement.invalidates.length, statement.text]).toEqual([changes.length, statement.text]);
    }
  });

  test('list in `invalidates` only ids that are also values of the statement', () => {
    for (const { invalidates, values } of sent) for (const id of invalidates) expect(values).toContain(id);
  });

  test('consist of exactly 19 different changes', () => {
    const kinds = new Set(
      sent.flatMap(changesIn).map((part) =>
        part
          .replace(/\s+and exists.*/s, '')
          .replace(/\$\d+/g, '$')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    );
    // Sessions: six deletions, two new tokens, three new lifetimes and one new epoch. Users: seven changes.
    expect(kinds.size, [...kinds].join('\n')).toBe(19);
  });
});

test('signing up, signing in, session checks and deleting expired rows invalidate nothing', async () => {
  sent.length = 0;
  const { browser, authenticator } = await signUp(service);
  await logIn(service.browser(), authenticator);
  await database.sql`update latchkey.sessions set last_seen_at = last_seen_at - interval '1 day'`;
  await browser.get('/auth/session');
  await removeExpired(runtimeOf(service.auth));
  expect(sent.some(({ text }) => text.includes('set last_seen_at'))).toBe(true);
  expect(sent.flatMap(({ invalidates }) => invalidates)).toEqual([]);
});
