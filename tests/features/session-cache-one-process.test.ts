import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { dropTriggers, type RememberingService, startRemembering } from './support/remembering.ts';
import { acts } from './support/session-acts.ts';

let database: TestDatabase;
let service: RememberingService;
beforeAll(async () => {
  database = await createTestDatabase();
  await dropTriggers(database.sql);
  service = await startRemembering(database.url, { bcryptCost: 4 });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

describe('without notifications, the next check of a session is up to date after', () => {
  test.each(Object.entries(acts))('%s', async (_, prepare) => {
    const { remembered, isRecovery = false, act, leaves } = await prepare({ service, sql: database.sql });
    if (isRecovery) expect((await service.check(remembered)).status).toBe(403);
    else await service.untilRemembered(remembered);
    await act();
    const { status, body } = await service.check(remembered);
    expect(status).toBe(leaves ? 200 : 401);
    if (leaves) expect(body.user).toMatchObject(leaves);
  });
});
