import { SchemaError } from 'latchkey';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, migrations, newestOf, readSchemaState } from '../../src/db/migrate.ts';
import type { Migration } from '../../src/db/migration.ts';
import { fromPostgresClient } from '../../src/db/postgres.ts';
import { grantedRights } from '../../src/db/service-role.ts';
import { logIn, signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { breakingChanges, readSchemaParts, type SchemaParts } from './support/breaking-changes.ts';
import { recordedRights } from './support/recorded-rights.ts';
import { dumpedVersions, restoreDump } from './support/restored-database.ts';
import { createDatabaseWithRoles, rightsOf } from './support/roles.ts';

const newest = newestOf(migrations);
/** The first version that stores with which versions it is compatible. */
const first = 19;

/** A migration of a later version of the package. */
const later = (version: number, compatibleWith: number | undefined, script = ''): Migration => ({
  version,
  name: `later-${version}`,
  script: `create table latchkey.later_${version} (id integer); ${script}`,
  ...(compatibleWith !== undefined && { compatibleWith }),
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Runs work on a database that a later version of the package has migrated. */
async function afterLater(
  compatibleWith: readonly (number | undefined)[],
  work: (database: TestDatabase) => Promise<void>,
): Promise<void> {
  const own = await createTestDatabase();
  try {
    const added = compatibleWith.map((version, place) => later(newest + 1 + place, version));
    await migrate(fromPostgresClient(own.sql), [...migrations, ...added]);
    await work(own);
  } finally {
    await own.drop();
  }
}

describe('on a newer schema', () => {
  test.each([
    ['compatible', [newest], null],
    ['compatible with earlier versions, too', [newest - 1], null],
    ['that two compatible migrations have changed', [newest, newest], null],
    ['that is compatible only with itself', [newest + 1], 'newer'],
    ['whose last migration is incompatible', [newest, newest + 1], 'newer'],
    ['whose first migration is incompatible', [newest + 1, newest], 'newer'],
    ['that states no compatible version', [undefined], 'newer'],
  ] as const)('%s, the package reports the versions and the problem', (_, compatibleWith, problem) =>
    afterLater(compatibleWith, async ({ sql }) => {
      expect(await readSchemaState(fromPostgresClient(sql))).toMatchObject({
        pending: [],
        newer: compatibleWith.map((__, place) => newest + 1 + place),
        problem,
      });
    }),
  );

  test('a running service stays ready if the schema is compatible, and otherwise is not ready', async () => {
    const own = await createTestDatabase();
    const service = await startServiceOn(own.url);
    const db = fromPostgresClient(own.sql);
    const compatible = [...migrations, later(newest + 1, newest)];
    await migrate(db, compatible);
    expect(await service.auth.isReady()).toBe(true);
    const { authenticator } = await signUp(service);
    expect((await logIn(service.browser(), authenticator)).status).toBe(200);
    await migrate(db, [...compatible, later(newest + 2, newest + 2)]);
    expect(await service.auth.isReady()).toBe(false);
    await service.close();
    await own.drop();
  });

  test.each([false, true])(
    'that is compatible, a service with `migrate: %s` starts, changes nothing and logs a warning',
    (migrating) =>
      afterLater([newest], async ({ url, sql }) => {
        const before =
          await sql`select version, checksum, compatible_with from latchkey.migrations order by 1`;
        const service = await startServiceOn(url, { migrate: migrating });
        expect(await service.auth.isReady()).toBe(true);
        expect(service.logged).toEqual([
          {
            level: 'warn',
            fields: { newer: [newest + 1] },
            message: expect.stringContaining('this version is compatible with the schema'),
          },
        ]);
        await service.close();
        expect(
          await sql`select version, checksum, compatible_with from latchkey.migrations order by 1`,
        ).toEqual(before);
      }),
  );

  test('that is incompatible, a service does not start, and the error says what to do', () =>
    afterLater([newest + 1], async ({ url }) => {
      for (const migrating of [false, true]) {
        const starting = startServiceOn(url, { migrate: migrating });
        await expect(starting).rejects.toThrow(SchemaError);
        await expect(starting).rejects.toMatchObject({
          code: 'schema_newer',
          message: expect.stringMatching(new RegExp(`version ${newest + 1}, .*Upgrade this package`)),
        });
      }
    }));

  test('that is compatible, an edited migration and a missing migration are still problems', () =>
    afterLater([newest], async ({ sql }) => {
      const db = fromPostgresClient(sql);
      await sql`update latchkey.migrations set checksum = '-' || checksum where version = ${newest}`;
      expect(await readSchemaState(db)).toMatchObject({ problem: 'edited' });
      await sql`delete from latchkey.migrations where version = ${newest}`;
      expect(await readSchemaState(db)).toMatchObject({ pending: [newest], problem: 'newer' });
      await expect(migrate(db)).rejects.toMatchObject({ code: 'schema_newer' });
    }));
});

test.each([
  [[newest], []],
  [[newest, newest], []],
  [[newest, newest + 1], [newest + 2]],
  [
    [newest + 1, undefined],
    [newest + 1, newest + 2],
  ],
])(
  'pending migrations that are compatible with %j break the processes of this version at %j',
  async (compatibleWith, breaking) => {
    const added = compatibleWith.map((version, place) => later(newest + 1 + place, version));
    const state = await readSchemaState(fromPostgresClient(database.sql), [...migrations, ...added]);
    expect(state).toMatchObject({ pending: added.map(({ version }) => version), breaking, problem: null });
  },
);

test('a service does not start if a newer version migrates the database incompatibly during its own migration', async () => {
  const old = await restoreDump(18);
  const adapter = fromPostgresClient(old.sql);
  const racing: typeof adapter = {
    async query<Row extends object>(statement: Parameters<typeof adapter.query>[0]) {
      const rows = await adapter.query<Row>(statement);
      if (statement.text.includes('insert into latchkey.migrations'))
        await migrate(adapter, [...migrations, later(newest + 1, newest + 1)]);
      return rows;
    },
  };
  await expect(startServiceOn(racing, { migrate: true })).rejects.toMatchObject({ code: 'schema_newer' });
  await old.drop();
});

test('an earlier version of the package revokes no right that a later version has granted', async () => {
  const own = await createDatabaseWithRoles();
  const owner = postgres(own.ownerUrl, { max: 1, onnotice: () => {} });
  await migrate(fromPostgresClient(owner), [...migrations, later(newest + 1, newest)]);
  await owner.end();
  await own.database.sql.unsafe(`
    grant select, insert on latchkey.later_${newest + 1} to ${own.service};
    grant delete on latchkey.invitations to ${own.service}`);
  const before = await rightsOf(own.database.sql, own.service);
  for (const options of [{ migrationDatabase: own.ownerUrl }, {}]) {
    const url = 'migrationDatabase' in options ? own.serviceUrl : own.ownerUrl;
    await (await startServiceOn(url, { migrate: true, ...options })).close();
    expect(await rightsOf(own.database.sql, own.service)).toEqual(before);
  }
  // It grants its own rights again.
  await own.database.sql.unsafe(`revoke insert on latchkey.sessions from ${own.service}`);
  const service = await startServiceOn(own.serviceUrl, { migrate: true, migrationDatabase: own.ownerUrl });
  await service.close();
  expect(await rightsOf(own.database.sql, own.service)).toEqual(before);
  await own.drop();
});

test(`each migration from ${first} on states the oldest version that it is compatible with`, () => {
  const stating = migrations.filter(({ version }) => version >= first);
  expect(stating.length).toBeGreaterThan(0);
  for (const { version, compatibleWith } of stating) {
    expect([version, compatibleWith]).toEqual([version, expect.any(Number)]);
    expect(compatibleWith).toBeGreaterThanOrEqual(first);
    expect(compatibleWith).toBeLessThanOrEqual(version);
  }
  expect(migrations.filter(({ version, compatibleWith }) => version < first && compatibleWith)).toEqual([]);
});

test('the database stores the compatible version of each migration', async () => {
  const rows = await database.sql`
    select version, compatible_with from latchkey.migrations order by version`;
  expect([...rows]).toEqual(
    migrations.map(({ version, compatibleWith = null }) => ({ version, compatible_with: compatibleWith })),
  );
});

/** The versions of the schema whose packages can use the newest schema. */
const compatibleVersions = migrations
  .map(({ version }) => version)
  .filter((version) =>
    migrations.every(
      (migration) => migration.version <= version || (migration.compatibleWith ?? newest + 1) <= version,
    ),
  );

describe('a package of an earlier compatible version', () => {
  test.each(compatibleVersions.filter((version) => dumpedVersions.includes(version)))(
    'finds everything that its statements need (schema version %i)',
    async (version) => {
      const earlier = await restoreDump(version);
      const before = await readSchemaParts(earlier.sql);
      await earlier.drop();
      expect(breakingChanges(before, await readSchemaParts(database.sql))).toEqual([]);
    },
  );

  test.each(compatibleVersions.filter((version) => recordedRights(version) !== null))(
    'keeps all rights of the role of the service (schema version %i)',
    (version) => {
      expect(grantedRights()).toEqual(expect.arrayContaining(recordedRights(version) ?? []));
    },
  );

  test.each([
    ['alter table latchkey.users drop column created_at', 'users.created_at no longer exists'],
    ['alter table latchkey.users rename column fields to other', 'users.fields no longer exists'],
    ['drop table latchkey.bootstrap', 'bootstrap.'],
    [
      'alter table latchkey.users alter column version type bigint',
      'users.version changes from integer to bigint',
    ],
    [
      'alter table latchkey.users alter column display_name set not null',
      'users.display_name becomes required',
    ],
    ['alter table latchkey.users alter column role drop default', 'users.role loses its default'],
    ['alter table latchkey.users add column later text not null', 'users.later is new and required'],
    [
      `alter table latchkey.users add constraint later check (display_name <> '')`,
      'new limit on users: CHECK',
    ],
    ['create unique index later on latchkey.users (display_name)', 'new limit on users: CREATE UNIQUE INDEX'],
    [
      'create unique index later on latchkey.users (lower(display_name))',
      'new limit on users: CREATE UNIQUE',
    ],
    [
      'drop function latchkey.require_primary() cascade',
      'require_primary() returns boolean no longer exists',
    ],
  ])('can fail after `%s`', async (change, breaking) => {
    const changes = await changesOf(change);
    expect(changes).toContainEqual(expect.stringContaining(breaking));
  });

  test.each([
    'alter table latchkey.users add column later text',
    `alter table latchkey.users add column later text not null default '' check (later <> 'x')`,
    'alter table latchkey.users alter column display_name set default null',
    'create table latchkey.later (id uuid primary key references latchkey.users (id), note text not null)',
    'create index later on latchkey.users (display_name)',
    'alter table latchkey.users drop constraint users_fields_check',
    'create function latchkey.later(integer) returns integer language sql as $$ select $1 $$',
    'create or replace function latchkey.clock() returns timestamptz language sql stable as $$ select now() $$',
  ])('can run after `%s`', async (change) => {
    expect(await changesOf(change)).toEqual([]);
  });

  async function changesOf(change: string): Promise<string[]> {
    const before = await readSchemaParts(database.sql);
    let after: SchemaParts | undefined;
    await database.sql
      .begin(async (sql) => {
        await sql.unsafe(change);
        after = await readSchemaParts(sql as unknown as typeof database.sql);
        throw new Error('undo');
      })
      .catch((error) => {
        if (error.message !== 'undo') throw error;
      });
    return breakingChanges(before, after as SchemaParts);
  }
});
