import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateCodes } from '../../features/support/recovery.ts';
import { addPasskey, type Person, signUp, userIdOf } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, expectNoStack } from './support/command.ts';
import { examineWith, nowhere } from './support/doctor.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const changed = (change: (url: URL) => void): string => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

describe('of a database that cannot be used the doctor says why, and what mends it:', () => {
  const faults: [string, () => string, RegExp, RegExp][] = [
    ['nothing listens', () => nowhere, /^nothing listens at 127\.0\.0\.1:9$/, /Start PostgreSQL/],
    [
      'its host has no address',
      () => changed((url) => (url.hostname = 'no-such-host.invalid')),
      /no-such-host\.invalid.* cannot be resolved$/,
      /host in DATABASE_URL/,
    ],
    [
      'the password is wrong',
      () => changed((url) => (url.password = 'open-sesame')),
      /^the password of role \S+ is not accepted$/,
      /password/,
    ],
    [
      'there is none of that name',
      () => changed((url) => (url.pathname = '/no_such')),
      /^there is no database no_such$/,
      /^Make it: createdb no_such$/,
    ],
    [
      'the setting is no URL of one',
      () => 'mysql://ada:open-sesame@db/shop',
      /^DATABASE_URL is not usable$/,
      /^Set DATABASE_URL to postgresql:/,
    ],
  ];
  test.each(faults)('%s', async (_, url, message, mend) => {
    const found = await examineWith({ DATABASE_URL: url() });
    expect(found.exitCode).toBe(2);
    expect(found.check('Database')).toMatchObject({
      level: 'fault',
      message: expect.stringMatching(message),
      why: expect.any(String),
      mend: expect.stringMatching(mend),
    });
    expect(`${found.stdout}${found.stderr}`).not.toContain('open-sesame');
    expectNoStack(found);
  });

  test('something listens and never answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const found = await examineWith({ DATABASE_URL: `postgresql://ada@127.0.0.1:${port}/shop` });
    silent.close();
    expect(found.check('Database')).toMatchObject({
      level: 'fault',
      message: `127.0.0.1:${port} does not answer in time`,
    });
  });

  test('its role may not read the schema', async () => {
    const name = `guest_${crypto.randomUUID().replaceAll('-', '')}`;
    await database.sql.unsafe(`create role ${name} login password 'a-password'`);
    const found = await examineWith({
      DATABASE_URL: changed((url) => Object.assign(url, { username: name, password: 'a-password' })),
    });
    await database.sql.unsafe(`drop role ${name}`);
    expect(found.check('Database')).toMatchObject({
      level: 'fault',
      message: `role ${name} may not use what it needs`,
      mend: expect.stringContaining(`owner to ${name}`),
    });
  });
});

describe('of a schema the doctor says', () => {
  const examineAfter = async (change: string, empty = false) => {
    const own = await createTestDatabase({ empty });
    if (change) await own.sql.unsafe(change);
    const found = await examineWith({ DATABASE_URL: own.url });
    await own.drop();
    expect(found.exitCode).toBe(2);
    return found.check('Migrations');
  };

  test('which migrations have not run', async () => {
    expect(await examineAfter('', true)).toMatchObject({
      level: 'fault',
      message: expect.stringMatching(/^migration 1, 2, 3.* has not run$/),
      mend: 'latchkey migrate',
    });
  });

  test('that it is of a newer version', async () => {
    const change = `insert into latchkey.migrations (version, name, checksum) values (9999, 'later', 'x')`;
    expect(await examineAfter(change)).toMatchObject({
      level: 'fault',
      mend: expect.stringContaining('Upgrade'),
    });
  });

  test('that a migration was edited', async () => {
    expect(
      await examineAfter(`update latchkey.migrations set checksum = 'x' where version = 1`),
    ).toMatchObject({
      level: 'fault',
      mend: expect.stringContaining('as released'),
    });
  });
});

test.each([
  ['10 seconds', 'warning', /is 10(\.\d)? s ahead of this/],
  ['-10 seconds', 'warning', /is (9\.\d|10) s behind this/],
  ['1 hour', 'fault', /is 3600(\.\d)? s ahead of this/],
])('a clock of the database that is %s away is seen', async (away, level, message) => {
  const own = await createTestDatabase();
  const name = new URL(own.url).pathname.slice(1);
  await own.sql.unsafe(`
    create function public.now() returns timestamptz language sql as $$ select pg_catalog.now() + interval '${away}' $$;
    alter database ${name} set search_path = public, pg_catalog;`);
  const found = await examineWith({ DATABASE_URL: own.url });
  await own.drop();
  expect(found.check('Clocks')).toMatchObject({
    level,
    message: expect.stringMatching(message),
    mend: expect.stringContaining('NTP'),
  });
});

describe('of superadmins the doctor says', () => {
  let service: ServiceOn;
  let ada: Person;
  let grace: Person;
  const findings = async () => {
    const found = await examineWith({ DATABASE_URL: database.url });
    return found.checks
      .filter(({ name }) => name === 'Superadmins')
      .map(({ level, message, mend }) => [level, message, mend]);
  };
  const makeSuperadmin = (person: Person) =>
    database.sql`update latchkey.users set role = 'superadmin' where id = ${userIdOf(person)}`;
  beforeAll(async () => {
    service = await startServiceOn(database.url);
    ada = await signUp(service, { username: 'ada' });
    grace = await signUp(service, { username: 'grace' });
  });
  afterAll(() => service.close());

  test('that there is none, then that the first is unfinished, and what mends it', async () => {
    expect(await findings()).toEqual([['fault', 'there is none yet', 'latchkey bootstrap']]);
    await commandsOn(() => database)('bootstrap --passkey --username unfinished');
    expect(await findings()).toEqual([
      [
        'fault',
        'the first one has not made a passkey yet',
        expect.stringContaining('latchkey bootstrap --passkey'),
      ],
    ]);
    await database.sql`delete from latchkey.users where username = 'unfinished'`;
    expect(await findings()).toEqual([
      ['fault', 'none is left that is active', 'latchkey bootstrap --again'],
    ]);
  });

  test('that there is a single one, with a single passkey and no codes', async () => {
    await makeSuperadmin(ada);
    expect(await findings()).toEqual([
      ['warning', 'ada is the only one', expect.stringContaining('latchkey users role')],
      ['warning', 'ada has a single passkey', expect.any(String)],
      ['warning', 'ada has no recovery codes', expect.any(String)],
    ]);
  });

  test('that all is well of two with two passkeys and codes each, and then ends with 0', async () => {
    await makeSuperadmin(grace);
    for (const { browser } of [ada, grace]) {
      expect((await addPasskey(browser)).status).toBe(201);
      await generateCodes(browser);
    }
    expect(await findings()).toEqual([['ok', 'ada, grace', undefined]]);
    const found = await examineWith({ DATABASE_URL: database.url, BCRYPT_COST: '11' });
    const bad = found.checks.filter(({ level }) => level !== 'ok');
    expect([bad, found.exitCode, found.faults, found.warnings]).toEqual([[], 0, 0, 0]);
  });

  test('and with warnings alone it ends with 1', async () => {
    const found = await examineWith({ DATABASE_URL: database.url, BCRYPT_COST: '4' });
    expect([found.exitCode, found.faults, found.warnings]).toEqual([1, 0, 1]);
  });
});
