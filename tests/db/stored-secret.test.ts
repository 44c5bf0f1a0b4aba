import { afterEach, describe, expect, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const databases: TestDatabase[] = [];
const newDatabase = async () => {
  const database = await createTestDatabase({ empty: true });
  databases.push(database);
  return database;
};
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});

const startOn = ({ url }: TestDatabase) => startServiceOn(url, { migrate: true });
type Service = Awaited<ReturnType<typeof startOn>>;

const decoysOf = async ({ browser }: Service) =>
  (await browser().post('/auth/passkey/login/start', { username: 'nobody-has-this-name' })).body.options
    .allowCredentials;

describe('the secret of the decoys', () => {
  test('is different in each database, even with the same JWT_SECRET', async () => {
    const services = [await startOn(await newDatabase()), await startOn(await newDatabase())] as const;
    expect(await decoysOf(services[0])).not.toEqual(await decoysOf(services[1]));
    for (const { sql } of databases) {
      const [row] = await sql`select secret from latchkey.secrets where name = 'decoys'`;
      expect(row?.secret).toMatch(/^(?:[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}){2}$/);
    }
    for (const service of services) await service.close();
  });

  test(`is the same in four processes that migrate a new database at the same time (${rounds} rounds)`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const database = await newDatabase();
      const services = await Promise.all([1, 2, 3, 4].map(() => startOn(database)));
      const [first, ...others] = await Promise.all(services.map(decoysOf));
      expect(others).toEqual([first, first, first]);
      for (const service of services) await service.close();
    }
  });

  test('is required: without it, the service does not start, and the error names the row', async () => {
    const database = await newDatabase();
    await (await startOn(database)).close();
    await database.sql`delete from latchkey.secrets where name = 'decoys'`;
    await expect(startOn(database)).rejects.toMatchObject({
      name: 'SchemaError',
      code: 'schema_edited',
      message: expect.stringContaining('lacks the row "decoys"'),
    });
  });
});
