import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServiceOn } from '../support/service-on.ts';
import { createDatabaseWithRoles, type DatabaseWithRoles, dropRoles, urlAs } from './support/roles.ts';

let own: DatabaseWithRoles;
beforeEach(async () => {
  own = await createDatabaseWithRoles();
});
afterEach(() => own.drop());

const warnings = async (url: string) => {
  const service = await startServiceOn(url);
  await service.close();
  return service.logged;
};
const expected = [
  {
    level: 'warn',
    message: expect.stringMatching(/go into the schema latchkey.*alter role <role> set search_path = public/),
  },
];

describe('at its start, the service warns that new tables of the application would be in its schema', () => {
  test('if the role is named latchkey, because the search path begins with "$user"', async () => {
    await own.database.sql.unsafe(
      `drop role if exists latchkey; create role latchkey login password 'of its own'; grant ${own.service} to latchkey`,
    );
    const url = urlAs(own.database.url, 'latchkey');
    expect(await warnings(url)).toEqual(expected.map((warning) => expect.objectContaining(warning)));
    await own.database.sql.unsafe('alter role latchkey set search_path = public');
    expect(await warnings(url)).toEqual([]);
    await dropRoles('latchkey');
  });

  test('if the search path begins with the schema', async () => {
    await own.database.sql.unsafe(`alter role ${own.service} set search_path = latchkey, public`);
    expect(await warnings(own.serviceUrl)).toMatchObject(expected);
  });

  test('but not if the schema comes after another schema in the search path', async () => {
    await own.database.sql.unsafe(`alter role ${own.service} set search_path = public, latchkey`);
    expect(await warnings(own.serviceUrl)).toEqual([]);
  });
});
