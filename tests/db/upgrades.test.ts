import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../../src/db/migrate.ts';
import { commandsOn, jsonOn } from '../cli/commands/support/command.ts';
import {
  accept,
  auditPath,
  invitationsPath,
  organizationsPath,
  usersPath,
} from '../features/support/authority.ts';
import { isSignedIn } from '../features/support/current-session.ts';
import { acceptLink, acceptReceived, receivedBy } from '../features/support/organization-invitations.ts';
import { logInByPassword } from '../features/support/passwords.ts';
import { completeRecovery, useCode, useLink } from '../features/support/recovery.ts';
import { buildChildProgram } from '../support/child-program.ts';
import { logIn } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import {
  authenticatorOf,
  codes,
  type DumpedUser,
  dumpedAt,
  type PasskeyUser,
  password,
  tokenOf,
  userIdOf,
} from './support/dumped-users.ts';
import { contentsOf, dumpedVersions, restoreDump, schemaOf } from './support/restored-database.ts';

const versions = migrations.map(({ version }) => version);
const versionsAfter = (version: number) => versions.filter((each) => each > version);
/**
 * Users sign in after the upgrade from each of these versions. Up to version 9, the contents that the tests expect depend
 * on the version. For all versions, other tests compare the schema and the data after the upgrade.
 */
const usedVersions = versions.filter(
  (version) => version <= 9 || version % 5 === 0 || version === versions.at(-1),
);
const options = { migrate: true, clock: () => new Date(dumpedAt), bcryptCost: 4 };

let newSchema: string[];
beforeAll(async () => {
  const database = await createTestDatabase();
  newSchema = await schemaOf(database.sql);
  await database.drop();
});

test('every migration has a dump', () => {
  expect(dumpedVersions).toEqual(versions);
});

describe.each(usedVersions)('in the dump of version %i, after the upgrade,', (version) => {
  let database: TestDatabase;
  let service: ServiceOn;
  beforeAll(async () => {
    database = await restoreDump(version);
    service = await startServiceOn(database.url, options);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const withSession = (name: string) => service.browser(new Map([['latchkey', tokenOf(name)]]));
  const byPasskey = async (username: PasskeyUser) => {
    const browser = service.browser();
    return { browser, answer: await logIn(browser, await authenticatorOf(username), { username }) };
  };
  const byPassword = async (username: DumpedUser) => {
    const browser = service.browser();
    return { browser, answer: await logInByPassword(browser, { username }, password) };
  };

  test('the schema is the same as in a new database', async () => {
    expect(await schemaOf(database.sql)).toEqual(newSchema);
  });

  test('users sign in with their passkeys', async () => {
    const roles = { rosa: 'superadmin', ada: 'admin', ben: 'user' } as const;
    for (const [username, role] of Object.entries(roles)) {
      const { answer } = await byPasskey(username as PasskeyUser);
      expect(answer).toMatchObject({ status: 200, body: { user: { username, role } } });
    }
    // Ben's passkey has just sent the counter 8.
    expect((await byPasskey('ben')).answer.status).toBe(401);
  });

  test('a disabled user signs in only after a superadmin has enabled the account', async () => {
    expect(await isSignedIn(withSession('the session of a disabled user'))).toBe(false);
    expect((await byPasskey('cora')).answer.status).toBe(409);
    const { browser } = await byPasskey('rosa');
    expect((await browser.post(`${usersPath}/${userIdOf('cora')}/enable`)).status).toBe(200);
    expect((await byPasskey('cora')).answer.status).toBe(200);
  });

  test('a live session stays live, and an expired session stays expired', async () => {
    expect(await isSignedIn(withSession('the live session'))).toBe(true);
    expect(await isSignedIn(withSession('the expired session'))).toBe(false);
  });

  test('a superadmin sees the users and the old events', async () => {
    const { browser } = await byPasskey('rosa');
    const { users } = (await browser.get(usersPath)).body;
    expect(users).toMatchObject([
      { username: 'ada', role: 'admin', status: 'active', displayName: 'Ada Ö.' },
      { username: 'ben', createdAt: '2025-12-16T12:00:00.000Z' },
      { username: 'cora' },
      { username: 'eli' },
      { username: 'fay' },
      { username: 'gus' },
      { username: 'rosa', role: 'superadmin', displayName: "Rosa O'Neill" },
    ]);
    const { events } = (await browser.get(`${auditPath}?to=${dumpedAt}`)).body;
    expect(events.map(({ event }: { event: string }) => event)).toEqual([
      ...(version >= 9 ? ['passkey.login'] : []),
      ...(version >= 5 ? ['audit.prune'] : []),
      ...(version >= 3 ? ['superadmin.bootstrap', 'member.add', 'user.disable'] : []),
      ...(version >= 2 ? ['password.add'] : []),
      'passkey.login',
      'account.signup',
    ]);
  });

  if (version >= 2) {
    test('a user signs in with the password', async () => {
      expect((await byPassword('ben')).answer.status).toBe(200);
      expect((await byPassword('eli')).answer.status).toBe(401);
    });

    test('an unused recovery code works once, and the other codes never work', async () => {
      const use = async (name: keyof typeof codes) =>
        (await useCode(service.browser(), { username: 'ben' }, codes[name])).status;
      expect([await use('used'), await use('unfinished'), await use('unused'), await use('unused')]).toEqual([
        401, 401, 200, 401,
      ]);
    });
  }

  test(`recoveries that had begun ${version >= 7 ? 'can be completed' : 'are canceled'}`, async () => {
    const recovering = withSession('the session of a recovery');
    const link = await useLink(service.browser(), tokenOf('the recovery link of eli'));
    if (version >= 7) {
      expect(link.status).toBe(200);
      expect((await completeRecovery(recovering)).status).toBe(201);
    } else {
      expect(link.status).toBe(401);
      expect(await isSignedIn(recovering)).toBe(false);
    }
  });

  if (version >= 3) {
    test('the username of a deleted user stays taken', async () => {
      expect(await service.auth.users.checkAvailability('dora')).toMatchObject({ available: false });
    });

    test('an organization keeps its members', async () => {
      const { browser } = await byPasskey('ada');
      const { organizations } = (await browser.get(organizationsPath)).body;
      expect(organizations).toMatchObject([{ name: 'Chess Club', slug: 'chess', myRole: 'admin' }]);
      const { members } = (await browser.get(`${organizationsPath}/${organizations[0].id}/members`)).body;
      expect(members).toMatchObject([
        { user: { username: 'ada' }, role: 'admin' },
        { user: { username: 'ben' }, role: 'user' },
      ]);
    });

    test('a pending admin invitation can be accepted, and the others cannot', async () => {
      const { browser } = await byPassword('gus');
      for (const state of ['expired', 'revoked', 'accepted'])
        expect((await accept(browser, tokenOf(`the ${state} invitation`))).status).not.toBe(200);
      expect((await accept(browser, tokenOf('the pending invitation'))).status).toBe(200);
      const { invitations } = (await (await byPasskey('rosa')).browser.get(invitationsPath)).body;
      expect(invitations).toMatchObject([
        { status: 'accepted', createdBy: null, acceptedBy: { username: 'ada' } },
        { status: 'revoked' },
        { status: 'expired' },
        { status: 'accepted', createdBy: { username: 'rosa' }, acceptedBy: { username: 'gus' } },
      ]);
    });
  }

  if (version >= 8) {
    test('pending organization invitations can be accepted, and the others cannot', async () => {
      const { browser } = await byPassword('gus');
      for (const state of ['expired', 'revoked', 'accepted'])
        expect((await acceptLink(browser, tokenOf(`the ${state} organization invitation`))).status).not.toBe(
          200,
        );
      const [received, ...others] = await receivedBy(browser);
      expect(others).toEqual([]);
      expect((await acceptReceived(browser, received as { id: string })).status).toBe(200);
    });
  }
});

describe.each(dumpedVersions)('the dump of version %i', (version) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await restoreDump(version);
  });
  afterAll(() => database.drop());

  if (usedVersions.includes(version))
    test.each([
      [
        'schema_edited',
        `update latchkey.migrations set checksum = '-' || checksum where version = ${version}`,
        `update latchkey.migrations set checksum = ltrim(checksum, '-')`,
      ],
      [
        'schema_newer',
        `insert into latchkey.migrations (version, name, checksum) values (9999, 'later', '')`,
        `delete from latchkey.migrations where version = 9999`,
      ],
    ])('is not changed by an upgrade that fails with %s', async (code, change, undo) => {
      await database.sql.unsafe(change);
      const before = await contentsOf(database);
      await expect(startServiceOn(database.url, options)).rejects.toMatchObject({
        name: 'SchemaError',
        code,
      });
      expect(await commandsOn(() => database)('migrate')).toMatchObject({ exitCode: 4 });
      expect(await contentsOf(database)).toEqual(before);
      await database.sql.unsafe(undo);
    });

  test('is upgraded by `latchkey migrate`, and another upgrade changes nothing', async () => {
    expect(await jsonOn(() => database)('migrate')).toEqual({ applied: versionsAfter(version) });
    const upgraded = await contentsOf(database);
    expect(upgraded.schema).toEqual(newSchema);
    expect(await jsonOn(() => database)('migrate')).toEqual({ applied: [] });
    await (await startServiceOn(database.url, options)).close();
    expect(await contentsOf(database)).toEqual(upgraded);
  });
});

test('two processes that upgrade the oldest dump at the same time apply each migration once', async () => {
  const database = await restoreDump(1);
  const program = await buildChildProgram('tests/db/support/migrate-program.ts');
  const answers = await program.runAtOnce(2, { args: [database.url] });
  program.remove();
  expect(answers.map(({ errors }) => errors)).toEqual(['', '']);
  expect(answers.flatMap(({ answer }) => answer).sort((a, b) => a - b)).toEqual(versionsAfter(1));
  expect(await schemaOf(database.sql)).toEqual(newSchema);
  await database.drop();
});
