import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropRoles, newRole, urlAs } from '../../db/support/roles.ts';
import { generateCodes } from '../../features/support/recovery.ts';
import { addPasskey, type Person, signUp, userIdOf } from '../../support/person.ts';
import { sequence } from '../../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, expectNoStack, runCommand } from './support/command.ts';
import { examineWith, nowhere } from './support/doctor.ts';

let database: TestDatabase;
/** The URL of a role that has only the rights of the service. */
let limitedUrl: string;
const limitedRole = newRole('service');
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(`
    create role ${limitedRole} login password 'of its own';
    grant select on public.test_clock to ${limitedRole}`);
  limitedUrl = urlAs(database.url, limitedRole);
  await runCommand(`migrate --service-role=${limitedRole}`, { env: { DATABASE_URL: database.url } });
});
afterAll(async () => {
  await database.drop();
  await dropRoles(limitedRole);
});

const changed = (change: (url: URL) => void): string => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

describe('for an unusable database, `latchkey doctor` prints the reason and a fix', () => {
  const faults: [string, () => string, RegExp, RegExp][] = [
    [
      'if the connection is refused',
      () => nowhere,
      /^127\.0\.0\.1:9 refuses connections$/,
      /Start PostgreSQL/,
    ],
    [
      'if the host name cannot be resolved',
      () => changed((url) => (url.hostname = 'no-such-host.invalid')),
      /^the host name no-such-host\.invalid\S* does not resolve$/,
      /host in DATABASE_URL/,
    ],
    [
      'if the password is wrong',
      () => changed((url) => (url.password = 'open-sesame')),
      /^the password of role \S+ is wrong, or the role does not exist$/,
      /password/,
    ],
    [
      'if the database does not exist',
      () => changed((url) => (url.pathname = '/no_such')),
      /^the database no_such does not exist$/,
      /^Create it: createdb no_such$/,
    ],
    [
      'if DATABASE_URL is not a PostgreSQL URL',
      () => 'mysql://ada:open-sesame@db/shop',
      /^DATABASE_URL is missing or invalid$/,
      /^Set DATABASE_URL to postgresql:/,
    ],
  ];
  test.each(faults)('%s', async (_, url, message, fix) => {
    const found = await examineWith({ DATABASE_URL: url() });
    expect(found.exitCode).toBe(2);
    expect(found.check('Database')).toMatchObject({
      level: 'error',
      message: expect.stringMatching(message),
      why: expect.any(String),
      fix: expect.stringMatching(fix),
    });
    expect(`${found.stdout}${found.stderr}`).not.toContain('open-sesame');
    expectNoStack(found);
  });

  test('if the server accepts connections but never responds', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const found = await examineWith({ DATABASE_URL: `postgresql://ada@127.0.0.1:${port}/shop` });
    silent.close();
    expect(found.check('Database')).toMatchObject({
      level: 'error',
      message: `127.0.0.1:${port} does not respond in time`,
    });
  });

  test('if the database role has no privileges on the schema', async () => {
    const name = `guest_${crypto.randomUUID().replaceAll('-', '')}`;
    await database.sql.unsafe(`create role ${name} login password 'a-password'`);
    const found = await examineWith({
      DATABASE_URL: changed((url) => Object.assign(url, { username: name, password: 'a-password' })),
    });
    await database.sql.unsafe(`drop role ${name}`);
    expect(found.check('Database')).toMatchObject({
      level: 'error',
      message: `role ${name} lacks privileges (permission denied for schema latchkey)`,
      fix: expect.stringContaining(`latchkey migrate --service-role=${name}`),
    });
  });
});

describe('for the schema, `latchkey doctor` reports', () => {
  const examineAfter = async (change: string, empty = false) => {
    const own = await createTestDatabase({ empty });
    if (change) await own.sql.unsafe(change);
    const found = await examineWith({ DATABASE_URL: own.url });
    await own.drop();
    expect(found.exitCode).toBe(2);
    return found.check('Migrations');
  };

  test('pending migrations', async () => {
    expect(await examineAfter('', true)).toMatchObject({
      level: 'error',
      message: expect.stringMatching(/^pending: 1, 2, 3/),
      fix: 'latchkey migrate',
    });
  });

  test('a newer version', async () => {
    const change = `insert into latchkey.migrations (version, name, checksum) values (9999, 'later', 'x')`;
    expect(await examineAfter(change)).toMatchObject({
      level: 'error',
      fix: expect.stringContaining('Upgrade'),
    });
  });

  test('no problem after a compatible migration of a newer version', async () => {
    const change = `
      insert into latchkey.migrations (version, name, checksum, compatible_with) values (9999, 'later', 'x', 19)`;
    expect(await examineAfter(change)).toMatchObject({
      level: 'ok',
      message: 'newer than this version of Latchkey (version 9999), compatible',
    });
  });

  test('an edited migration', async () => {
    expect(
      await examineAfter(`update latchkey.migrations set checksum = 'x' where version = 1`),
    ).toMatchObject({
      level: 'error',
      fix: expect.stringContaining('Reinstall Latchkey'),
    });
  });
});

describe('for the role in DATABASE_URL, `latchkey doctor`', () => {
  test('warns if the role can change the audit log, and says how to use a second role', async () => {
    const found = await examineWith({ DATABASE_URL: database.url });
    expect(found.check('Database role')).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/^postgres can change the audit log/),
      fix: expect.stringContaining('latchkey migrate --service-role='),
    });
  });

  test('reports no problem if the role has only the rights of the service', async () => {
    const found = await examineWith({ DATABASE_URL: limitedUrl });
    expect(found.check('Database role')).toEqual({
      name: 'Database role',
      level: 'ok',
      message: `${limitedRole} cannot change the audit log`,
    });
    expect([found.check('Search path'), found.check('Audit retention')]).toEqual([undefined, undefined]);
  });

  test('warns if new tables of the application would be in the schema of the service', async () => {
    await database.sql.unsafe(`alter role ${limitedRole} set search_path = latchkey, public`);
    const found = await examineWith({ DATABASE_URL: limitedUrl });
    await database.sql.unsafe(`alter role ${limitedRole} reset search_path`);
    expect(found.check('Search path')).toMatchObject({
      level: 'warning',
      fix: expect.stringContaining(`alter role ${limitedRole} set search_path = public`),
    });
  });

  test('warns if AUDIT_RETENTION is shorter than the minimum in the database', async () => {
    const found = await examineWith({ DATABASE_URL: limitedUrl, AUDIT_RETENTION: '89' });
    expect(found.check('Audit retention')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('at least 90 days'),
      fix: expect.stringContaining('AUDIT_RETENTION to 90,'),
    });
    const enough = await examineWith({ DATABASE_URL: limitedUrl, AUDIT_RETENTION: '90' });
    expect(enough.check('Audit retention')).toBeUndefined();
  });
});

// The duration of the request makes the difference less exact, in both directions.
test.each([
  ['10 seconds', 'warning', /is (9\.\d|10(\.\d)?) s ahead of this/],
  ['-10 seconds', 'warning', /is (9\.\d|10(\.\d)?) s behind this/],
  ['1 minute', 'error', /is (59\.\d|60(\.\d)?) s ahead of this/],
])('`latchkey doctor` reports a database clock that differs by %s', async (away, level, message) => {
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
    fix: expect.stringContaining('NTP'),
  });
});

describe('for superadmins, `latchkey doctor` reports', () => {
  let service: ServiceOn;
  let ada: Person;
  let grace: Person;
  const findings = async () => {
    const found = await examineWith({ DATABASE_URL: database.url });
    return found.checks
      .filter(({ name }) => name === 'Superadmins')
      .map(({ level, message, fix }) => [level, message, fix]);
  };
  const makeSuperadmin = (person: Person) =>
    database.sql`update latchkey.users set role = 'superadmin' where id = ${userIdOf(person)}`;
  beforeAll(async () => {
    service = await startServiceOn(database.url);
    ada = await signUp(service, { username: 'ada' });
    grace = await signUp(service, { username: 'grace' });
  });
  afterAll(() => service.close());

  test('a missing superadmin, a superadmin without a passkey and an inactive superadmin, each with a fix', async () => {
    expect(await findings()).toEqual([['error', 'no superadmin exists', 'latchkey bootstrap']]);
    await commandsOn(() => database)('bootstrap --passkey --username unfinished');
    expect(await findings()).toEqual([
      [
        'error',
        'the first superadmin has no passkey yet',
        expect.stringContaining('latchkey bootstrap --passkey'),
      ],
    ]);
    await database.sql`delete from latchkey.users where username = 'unfinished'`;
    expect(await findings()).toEqual([['error', 'no superadmin is active', 'latchkey bootstrap --again']]);
  });

  test('a single superadmin with one passkey and no recovery codes', async () => {
    await makeSuperadmin(ada);
    expect(await findings()).toEqual([
      ['warning', 'ada is the only active superadmin', expect.stringContaining('latchkey users change-role')],
      ['warning', 'ada has only one passkey', expect.any(String)],
      ['warning', 'ada has no recovery codes', expect.any(String)],
    ]);
  });

  test('no problem if two superadmins each have two passkeys and recovery codes, and exits with 0 even with --strict', async () => {
    await makeSuperadmin(grace);
    for (const { browser } of [ada, grace]) {
      expect((await addPasskey(browser)).status).toBe(201);
      await generateCodes(browser);
    }
    expect(await findings()).toEqual([['ok', 'ada, grace', undefined]]);
    await sequence(database.sql);
    const found = await examineWith({ DATABASE_URL: limitedUrl, BCRYPT_COST: '11' }, {}, '--strict');
    const bad = found.checks.filter(({ level }) => level !== 'ok');
    expect([bad, found.exitCode, found.errors, found.warnings]).toEqual([[], 0, 0, 0]);
  });

  test('a warning about BCRYPT_COST, and exits with 0 (or with 2 if --strict is given)', async () => {
    for (const [flags, exitCode] of [
      ['', 0],
      ['--strict', 2],
    ] as const) {
      const found = await examineWith({ DATABASE_URL: limitedUrl, BCRYPT_COST: '4' }, {}, flags);
      expect([found.exitCode, found.errors, found.warnings]).toEqual([exitCode, 0, 1]);
    }
  });
});
