import { Readable } from 'node:stream';
import { type AuthError, type ImportedUser, type ImportProgress, sql } from 'latchkey';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUsername } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { everyRow } from './support/erasure.ts';
import {
  bcryptHash,
  foreignPasskey,
  importAll,
  importedUser,
  importOne,
  newHandle,
  refusalOf,
} from './support/imports.ts';
import { password } from './support/passwords.ts';

const plan = { schema: v.picklist(['free', 'pro']), read: 'user', write: 'admin' } as const;
const note = { schema: v.string(), read: 'operator', write: 'operator' } as const;
const locale = { schema: v.string(), read: 'user', write: 'user', required: true } as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, userFields: { plan, note, locale } });
});
afterAll(() => service.close());

const users = () => service.auth.asOperator('mover').users;
const countRows = async () => (await everyRow(service)).length;
const namesOf = (records: readonly ImportedUser[]) => records.map(({ username }) => username);

describe('an imported user', () => {
  test('has all values of the record', async () => {
    const passkey = await foreignPasskey();
    const record = {
      username: newUsername('  Full'),
      displayName: ' Ada Lovelace ',
      role: 'admin',
      status: 'disabled',
      createdAt: '2024-01-02T03:04:05.678+01:00',
      sourceId: '42',
      fields: { plan: 'pro', note: 'moved' },
      userHandle: passkey.userHandle,
      password: { hash: bcryptHash(password) },
      passkeys: [passkey.record],
    } as const;
    await importOne(service, record);
    const { user } = await users().get(record.username);
    expect(user).toMatchObject({
      username: record.username.trim().toLowerCase(),
      displayName: 'Ada Lovelace',
      role: 'admin',
      status: 'disabled',
      createdAt: '2024-01-02T02:04:05.678Z',
      hasPassword: true,
      passkeyCount: 1,
      fields: { plan: 'pro', note: 'moved' },
    });
  });

  test('needs only a username, and then has no password and no passkey', async () => {
    const record = importedUser();
    await importOne(service, record);
    const { user } = await users().get(record.username);
    expect(user).toMatchObject({
      displayName: null,
      role: 'user',
      status: 'active',
      hasPassword: false,
      passkeyCount: 0,
    });
    expect(Date.now() - Date.parse(user.createdAt)).toBeLessThan(3_600_000);
  });

  test('can have null for every value except the username', async () => {
    const nothing = { displayName: null, role: null, status: null, createdAt: null, sourceId: null };
    const record = { ...nothing, fields: null, userHandle: null, password: null, passkeys: null };
    await importOne(service, importedUser(record));
  });

  test('has one audit event, without values of the record other than the username and the role', async () => {
    const passkeys = [(await foreignPasskey()).record, (await foreignPasskey()).record];
    const record = importedUser({
      displayName: 'Ada',
      passkeys,
      sourceId: 'secret-id',
      password: { hash: bcryptHash(password) },
    });
    await importOne(service, record);
    const { user } = await users().get(record.username);
    const events = (await service.auditRows()).filter(({ target_id }) => target_id === user.id);
    const ids = await service.database.sql`select id from latchkey.passkeys where user_id = ${user.id}`;
    expect(events).toMatchObject([
      {
        event: 'user.import',
        outcome: 'success',
        actor_type: 'operator',
        actor_name: 'mover',
        target_type: 'user',
        target_name: record.username,
      },
    ]);
    const { passkeyIds, ...details } = events[0]?.details ?? {};
    expect(details).toEqual({ source: 'import', role: 'user', password: true });
    expect(`${passkeyIds}`.split(',').sort()).toEqual(ids.map(({ id }) => id).sort());
  });

  test('is reported to `auth.on` handlers', async () => {
    const records = [importedUser(), importedUser()];
    const received = new Promise<string[]>((resolve) => {
      const seen: string[] = [];
      const stop = service.auth.on('user.import', ({ target }) => {
        seen.push(`${target?.name}`);
        if (seen.length < records.length) return;
        stop();
        resolve(seen);
      });
    });
    await importAll(service, records);
    expect((await received).sort()).toEqual(namesOf(records).sort());
  });
});

describe('a repeated import', () => {
  test('changes nothing, even for users who were changed, renamed or deleted in the meantime', async () => {
    const records = Array.from({ length: 5 }, (_, n) => importedUser({ sourceId: `again-${n}` }));
    expect(await importAll(service, records)).toMatchObject({ imported: 5, alreadyImported: 0, refused: 0 });
    const [first = '', second = ''] = namesOf(records);
    await users().rename(first, newUsername('renamed'));
    await users().delete(second);
    const before = await everyRow(service);
    expect(await importAll(service, records)).toMatchObject({ imported: 0, alreadyImported: 5, refused: 0 });
    expect(await everyRow(service)).toEqual(before);
  });

  test('recognizes users without a `sourceId` by their usernames', async () => {
    const records = [importedUser(), importedUser()];
    await importAll(service, records);
    const capital = records.map((one) => ({ username: one.username.toUpperCase() }));
    expect(await importAll(service, capital)).toMatchObject({ alreadyImported: 2, refused: 0 });
  });

  test('imports the records that were added, and those that were refused before', async () => {
    const [bad, good] = [importedUser({ sourceId: 'mended' }), importedUser({ sourceId: 'good' })];
    await importAll(service, [{ ...bad, displayName: '' }, good]);
    const { imported, alreadyImported, refused } = await importAll(service, [bad, good, importedUser()]);
    expect({ imported, alreadyImported, refused }).toEqual({ imported: 2, alreadyImported: 1, refused: 0 });
  });

  test('with another source imports other users with the same ids', async () => {
    const sourceId = 'shared';
    await importAll(service, [importedUser({ sourceId })], { source: 'shop' });
    expect(await importAll(service, [importedUser({ sourceId })], { source: 'forum' })).toMatchObject({
      imported: 1,
    });
  });
});

describe('an import refuses', () => {
  let taken: string;
  beforeAll(async () => {
    taken = newUsername('taken');
    await users().create({ username: taken });
  });

  const of = (more: object): object => ({ ...importedUser(), ...more });
  test.each<[what: string, record: () => unknown, reason: string, message: RegExp]>([
    ['a number', () => 7, 'invalid_record', /^expected a user as a JSON object$/],
    ['null', () => null, 'invalid_record', /^expected a user/],
    ['a list', () => [], 'invalid_record', /./],
    ['a line that is not JSON', () => '{"username": "ada"', 'invalid_record', /^expected one user/],
    [
      'a line with two users',
      () => '{"username":"a-1"} {"username":"a-2"}',
      'invalid_record',
      /^expected one/,
    ],
    ['a line of more than 524,288 characters', () => 'x'.repeat(524_289), 'invalid_record', /524288/],
    ['a user without a username', () => ({ displayName: 'x' }), 'invalid_record', /^username: /],
    [
      'an unknown property',
      () => of({ email: 'a@b.example' }),
      'invalid_record',
      /^email: this property is unknown/,
    ],
    ['a prototype', () => '{"username":"proto-user","__proto__":{"role":"admin"}}', 'invalid_record', /./],
    [
      'an empty display name',
      () => of({ displayName: ' ' }),
      'invalid_record',
      /^displayName: expected 1 to 64/,
    ],
    ['a display name with NUL', () => of({ displayName: 'a\0b' }), 'invalid_record', /^displayName: /],
    [
      'a display name with a lone surrogate',
      () => of({ displayName: 'a\ud800' }),
      'invalid_record',
      /^displayName/,
    ],
    ['an unknown role', () => of({ role: 'owner' }), 'invalid_record', /^role: expected user or admin/],
    [
      'the role superadmin',
      () => of({ role: 'superadmin' }),
      'role_not_allowed',
      /^role: expected user or admin/,
    ],
    ['an unknown status', () => of({ status: 'banned' }), 'invalid_record', /^status: /],
    ['a time in another format', () => of({ createdAt: '2 Jan 2024' }), 'invalid_record', /^createdAt: /],
    [
      'a time in the future',
      () => of({ createdAt: '2999-01-01T00:00:00Z' }),
      'invalid_record',
      /^createdAt: .*future/,
    ],
    ['a time before 1970', () => of({ createdAt: '1969-12-31T23:59:59Z' }), 'invalid_record', /^createdAt: /],
    ['a number as the id', () => of({ sourceId: 42 }), 'invalid_record', /^sourceId: /],
    ['an id with NUL', () => of({ sourceId: '4\0' }), 'invalid_record', /^sourceId: /],
    ['an id of 256 characters', () => of({ sourceId: 'x'.repeat(256) }), 'invalid_record', /^sourceId: /],
    [
      'an unknown field',
      () => of({ fields: { color: 'pro' } }),
      'field_invalid',
      /^fields\.color: this property is unknown/,
    ],
    ['an invalid field', () => of({ fields: { plan: 'gold' } }), 'field_invalid', /^fields\.plan: /],
    ['fields that are too large', () => of({ fields: { note: 'x'.repeat(4096) } }), 'field_invalid', /4096/],
    ['a user handle of 65 bytes', () => of({ userHandle: newHandle(65) }), 'invalid_record', /^userHandle: /],
    ['a user handle with padding', () => of({ userHandle: 'AA==' }), 'invalid_record', /^userHandle: /],
    ['a user handle with unused bits', () => of({ userHandle: 'AB' }), 'invalid_record', /^userHandle: /],
    ['a password as text', () => of({ password }), 'invalid_record', /^password: /],
    [
      '51 passkeys',
      () => of({ passkeys: Array.from({ length: 51 }, () => ({ credentialId: 'AA', publicKey: 'AA' })) }),
      'invalid_record',
      /^passkeys: expected at most 50/,
    ],
    [
      'an unknown property of a passkey',
      () => of({ passkeys: [{ credentialId: 'AA', publicKey: 'AA', credentialID: 'AA' }] }),
      'invalid_record',
      /^passkeys\.0\.credentialID: this property is unknown/,
    ],
    [
      'a passkey without an id',
      () => of({ passkeys: [{ publicKey: 'AA' }] }),
      'invalid_record',
      /^passkeys\.0\.credentialId: /,
    ],
    [
      'a credential id of 1024 bytes',
      () => of({ passkeys: [{ credentialId: newHandle(1024), publicKey: 'AA' }] }),
      'invalid_record',
      /^passkeys\.0\.credentialId: /,
    ],
    [
      'a negative counter',
      () => of({ passkeys: [{ credentialId: 'AA', publicKey: 'AA', counter: -1 }] }),
      'invalid_record',
      /^passkeys\.0\.counter: /,
    ],
    [
      'a counter above 32 bits',
      () => of({ passkeys: [{ credentialId: 'AA', publicKey: 'AA', counter: 2 ** 32 }] }),
      'invalid_record',
      /^passkeys\.0\.counter: /,
    ],
    [
      'an AAGUID that is not a UUID',
      () => of({ passkeys: [{ credentialId: 'AA', publicKey: 'AA', aaguid: 'x' }] }),
      'invalid_record',
      /^passkeys\.0\.aaguid: expected a UUID/,
    ],
    ['an invalid username', () => ({ username: 'no spaces' }), 'username_unacceptable', /^username: /],
    ['a reserved username', () => ({ username: 'adm1n' }), 'username_unacceptable', /^username: .*reserved/],
    ['a taken username', () => ({ username: taken }), 'username_taken', /^username: another user/],
  ])('%s', async (_, record, reason, message) => {
    const before = await countRows();
    expect(await refusalOf(service, record())).toEqual({ reason, message: expect.stringMatching(message) });
    expect(await countRows()).toBe(before);
  });

  test('two passkeys of one user with the same id, and BS without BE', async () => {
    const { record } = await foreignPasskey();
    expect(await refusalOf(service, importedUser({ passkeys: [record, record] }))).toMatchObject({
      reason: 'invalid_record',
    });
    const flags = { backupEligible: false, backedUp: true };
    expect(await refusalOf(service, importedUser({ passkeys: [{ ...record, ...flags }] }))).toEqual({
      reason: 'invalid_record',
      message: 'passkeys.0.backedUp: expected false, because backupEligible is false',
    });
  });

  test('usernames that users had before, and those of deleted and erased users', async () => {
    const [renamed, deleted, erased] = [newUsername(), newUsername(), newUsername()];
    for (const username of [renamed, deleted, erased]) await users().create({ username });
    await users().rename(renamed, newUsername());
    await users().delete(deleted);
    await users().erase((await users().get(erased)).user.id);
    const { all } = await importAll(
      service,
      [renamed, deleted, erased].map((username) => ({ username })),
    );
    expect(all.map(({ line, reason }) => [line, reason])).toEqual(
      [1, 2, 3].map((line) => [line, 'username_taken']),
    );
  });

  test('look-alikes only with `lookAlikes: refuse`, also within one batch', async () => {
    const strict = await startSecondInstance(service, { lookAlikes: 'refuse' });
    try {
      const [first, second] = [`look-0${newUsername('a')}`, `look-0${newUsername('b')}`];
      const likeFirst = first.replace('0', 'o');
      await importOne(service, { username: first });
      expect((await refusalOf(strict, { username: likeFirst }))?.reason).toBe('username_unacceptable');
      const { all } = await importAll(strict, [{ username: second }, { username: second.replace('0', 'o') }]);
      expect(all).toMatchObject([{ line: 2, reason: 'username_unacceptable' }]);
      expect(await refusalOf(service, { username: likeFirst })).toBeNull();
      const twins = [`twin-0${newUsername('c')}`, `twin-o${newUsername('c')}`];
      const [zero = ''] = twins;
      expect(
        await importAll(service, [{ username: zero }, { username: zero.replace('0', 'o') }]),
      ).toMatchObject({ imported: 2 });
    } finally {
      await strict.close();
    }
  });

  test('the second record with the same username or id, in the same batch and in a later one', async () => {
    const [first, second] = [importedUser({ sourceId: 'first' }), importedUser({ sourceId: 'second' })];
    const many = Array.from({ length: 300 }, () => importedUser());
    const { imported, all } = await importAll(service, [
      first,
      { ...second, username: first.username },
      { ...importedUser(), sourceId: 'first' },
      ...many,
      { ...importedUser(), sourceId: 'first' },
      { ...second, username: first.username },
      second,
    ]);
    expect(imported).toBe(302);
    expect(all.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'username_taken'],
      [3, 'source_id_repeated'],
      [304, 'source_id_repeated'],
      [305, 'username_taken'],
    ]);
  });
});

describe('a dry run', () => {
  test('returns the same report as the import, for 700 records, and writes nothing', async () => {
    const { record } = await foreignPasskey();
    const passkey = { ...record, userHandle: newHandle() };
    const first = importedUser({ passkeys: [passkey], sourceId: 'dry' });
    const records = [
      first,
      ...Array.from({ length: 690 }, () => importedUser()),
      { ...importedUser(), passkeys: [passkey] },
      { ...importedUser(), sourceId: 'dry' },
      { username: first.username, sourceId: 'other' },
      { ...importedUser(), userHandle: passkey.userHandle },
      'not JSON',
    ];
    const before = await everyRow(service);
    const { all: dry, dryRun, ...report } = await importAll(service, records, { dryRun: true });
    expect(dryRun).toBe(true);
    expect(await everyRow(service)).toEqual(before);
    const { all, dryRun: _, ...real } = await importAll(service, records);
    expect([report, dry]).toEqual([real, all]);
    expect(real).toEqual({
      read: 696,
      imported: 691,
      alreadyImported: 0,
      refused: 5,
      reasons: {
        passkey_taken: 1,
        source_id_repeated: 1,
        username_taken: 1,
        user_handle_taken: 1,
        invalid_record: 1,
      },
    });
  }, 300_000);
});

describe('the source of an import', () => {
  test('can be lines of text, of which blank ones are counted and skipped', async () => {
    const [first, second] = [importedUser(), importedUser()];
    const lines = [`\uFEFF${JSON.stringify(first)}`, '', `${JSON.stringify(second)}\r`, '  ', 'x'];
    const { all, ...report } = await importAll(service, Readable.from(lines));
    expect(report).toMatchObject({ read: 3, imported: 2, refused: 1 });
    expect(all).toMatchObject([{ line: 5, record: 'x' }]);
  });

  test('can fail, and then the batches before the error are imported', async () => {
    const records = Array.from({ length: 260 }, () => importedUser());
    const progress: ImportProgress[] = [];
    const source = (async function* () {
      yield* records;
      throw new Error('the disk is gone');
    })();
    await expect(users().import(source, { onProgress: (now) => progress.push(now) })).rejects.toThrow(
      'the disk is gone',
    );
    expect(progress).toEqual([{ read: 250, imported: 250, alreadyImported: 0, refused: 0 }]);
    expect(await importAll(service, records)).toMatchObject({ imported: 10, alreadyImported: 250 });
  });

  test.each<[what: string, records: unknown, options: object]>([
    ['a path', 'users.ndjson', {}],
    ['an object', { username: 'ada' }, {}],
    ['chunks of bytes', [Buffer.from('{}')], {}],
    ['an unknown option', [], { dry: true }],
    ['an invalid option', [], { dryRun: 'yes' }],
    ['an empty name', [], { source: '' }],
    ['a name of 65 characters', [], { source: 'x'.repeat(65) }],
    ['a handler that is not a function', [], { onRefused: [] }],
  ])('throws a TypeError for %s', async (_, records, options) => {
    await expect(users().import(records as never, options)).rejects.toThrow(TypeError);
  });
});

describe('erasing an imported user', () => {
  test('deletes the id of the other system and the names in events of the passkeys', async () => {
    const passkey = await foreignPasskey();
    const username = newUsername('erased');
    await importOne(service, {
      username,
      sourceId: 'id-of-the-erased',
      passkeys: [{ ...passkey.record, userHandle: passkey.userHandle }],
    });
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
    const credential = await passkey.authenticator.get(options, {
      userHandle: newHandle(),
    });
    expect((await browser.post('/auth/passkey/login/verify', { credential })).status).toBe(401);
    const { id } = (await users().get(username)).user;
    await users().delete(username);
    expect((await everyRow(service)).join('\n')).toContain('id-of-the-erased');
    await users().erase(id);
    const rows = (await everyRow(service)).join('\n');
    expect(rows).not.toContain('id-of-the-erased');
    expect(rows).not.toContain(username);
    expect((await refusalOf(service, { username, sourceId: 'id-of-the-erased' }))?.reason).toBe(
      'username_taken',
    );
  });
});

describe('`signUp.after`', () => {
  test('runs once for each imported user, in the same statement', async () => {
    await service.database
      .sql`create table profiles (user_id uuid primary key, name text check (name <> 'bad-name'))`;
    const after = ({ user }: { user: { id: string; username: string } }) =>
      sql`insert into profiles (user_id, name) values (${user.id}, ${user.username})`;
    const storing = await startSecondInstance(service, { signUp: { after } });
    try {
      const records = [importedUser(), importedUser({ passkeys: [(await foreignPasskey()).record] })];
      expect(await importAll(storing, records)).toMatchObject({ imported: 2 });
      await importAll(storing, records);
      const profiles = await service.database.sql`select name from profiles`;
      expect(profiles.map(({ name }) => name).sort()).toEqual(namesOf(records).sort());
      await expect(importAll(storing, [{ username: 'bad-name' }])).rejects.toThrow(/^signUp\.after: /);
      await expect(users().get('bad-name')).rejects.toMatchObject({ code: 'not_found' } as AuthError);
    } finally {
      await storing.close();
    }
  });
});

test('an import refuses a `sourceId` that is the default `sourceId` of another username', async () => {
  const [user, other] = [importedUser(), importedUser()];
  const sourceId = `username:${other.username}`;
  expect(await refusalOf(service, { ...user, sourceId })).toMatchObject({ reason: 'invalid_record' });
  await importOne(service, { ...other, sourceId });
});
