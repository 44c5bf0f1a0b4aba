import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';
import { acts, typed } from './support/session-acts.ts';

const clock = stopCacheExpiry();
let database: TestDatabase;
let service: RememberingService;
/** Another process on the same database. */
let neighbor: RememberingService;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startRemembering(database.url, { bcryptCost: 4, clock });
  neighbor = await startRemembering(database.url, { bcryptCost: 4, clock });
});
afterAll(async () => {
  await neighbor.close();
  await service.close();
  await database.drop();
});

const rows = [
  ...Object.entries(acts),
  ...Object.entries(typed).map(([name, prepare]) => [`${name} with SQL`, prepare] as const),
];

describe('checks of the session in another process are up to date soon after', () => {
  test.each(rows)('%s', async (_, prepare) => {
    const {
      remembered,
      isRecovery = false,
      act,
      leaves = null,
      refusal = 401,
    } = await prepare({ service, sql: database.sql });
    if (isRecovery) expect((await neighbor.check(remembered)).status).toBe(403);
    else await neighbor.untilRemembered(remembered);
    await act();
    await eventually(async () => {
      const { status, body } = await neighbor.check(remembered);
      if (leaves === null) return status === refusal;
      expect(status).toBe(200);
      const shown = { ...body.session, ...body.user };
      return Object.entries(leaves).every(([name, value]) => shown[name] === value);
    });
  });
});
