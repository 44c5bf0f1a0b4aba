import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import { erase } from '../features/support/erasure.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import type { TestService } from '../support/test-service.ts';

const day = 24 * 60 * 60;

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ deletedUsernameReleaseDays: 30 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const eventsAbout = async (person: Person) =>
  (await service.auditRows()).filter(({ target_id: id }) => id === userIdOf(person));
const eraseBySql = (sql: postgres.Sql, id: string) => sql`
  select latchkey.erase_user(${id}::uuid, 'a script', gen_random_uuid(), 1000) as erasure`;

test('an erasure changes at most 10,000 events in one statement, and records an event for each statement', async () => {
  const person = await signUp(service);
  await service.auth.asOperator('ops').users.delete(person.username);
  await service.database.sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, actor_name, ip, details)
    select gen_random_uuid(), latchkey.clock() - n * interval '1 second', 'session.logout', 'success', 'user',
      ${userIdOf(person)}, ${person.username}, '203.0.113.77', '{}'
    from generate_series(1, 10_001) as n`;
  const { pseudonym, events } = await erase(service, userIdOf(person));
  expect(events).toBe(10_003);
  const recorded = (await eventsAbout(person)).filter(({ event }) => event === 'user.erase');
  expect(recorded.map(({ details }) => details.events).sort()).toEqual([10_000, 3].sort());
  const [left] = await service.database.sql`
    select count(*)::integer as count from latchkey.audit_events
    where actor_id = ${userIdOf(person)} and (actor_name, ip) is distinct from (${pseudonym}, ${pseudonym})`;
  expect(left).toEqual({ count: 0 });
});

test('the pseudonym depends on a secret in the database, so the id alone does not reveal it', async () => {
  const person = await signUp(service);
  await service.auth.asOperator('ops').users.delete(person.username);
  const { sql } = service.database;
  const undo = new Error('roll back');
  const pseudonyms: string[] = [];
  for (const secret of ['one secret', 'another secret'])
    await sql
      .begin(async (transaction) => {
        await transaction`update latchkey.secrets set secret = ${secret} where name = 'pseudonyms'`;
        const [row] = await eraseBySql(transaction as unknown as postgres.Sql, userIdOf(person));
        pseudonyms.push(row?.erasure.pseudonym);
        throw undo;
      })
      .catch((error) => expect(error).toBe(undo));
  expect(new Set(pseudonyms).size).toBe(2);
});

describe('the username of an erased user', () => {
  const isAvailable = async (username: string) =>
    (await service.auth.users.checkAvailability(username)).available;
  const clean = () => removeExpired(runtimeOf(service.auth));

  test('is released like the usernames of other deleted accounts, at most a day later', async () => {
    const person = await signUp(service);
    const { username } = person;
    await erase(service, userIdOf(person));
    await service.turnClock({ seconds: 30 * day - 1 });
    await clean();
    expect(await isAvailable(username)).toBe(false);
    await service.turnClock({ seconds: day + 1 });
    await clean();
    expect(await isAvailable(username)).toBe(true);
    const next = await signUp(service, { username });
    expect(userIdOf(next)).not.toBe(userIdOf(person));
    const released = (await service.auditRows()).filter(({ event }) => event === 'user.release_username');
    expect(released.at(-1)).toMatchObject({ actor_type: 'system', target_id: null, target_name: null });
  });

  test('stays available if it was already released', async () => {
    const person = await signUp(service);
    await service.auth.asOperator('ops').users.delete(person.username);
    await service.turnClock({ seconds: 30 * day });
    await clean();
    await erase(service, userIdOf(person));
    expect(await isAvailable(person.username)).toBe(true);
  });
});

describe('a database role without the owner’s rights', () => {
  const role = `service_${crypto.randomUUID().replaceAll('-', '')}`;
  let limited: postgres.Sql;
  beforeAll(async () => {
    const { sql, url: ownerUrl } = service.database;
    await sql.unsafe(`
      create role ${role} login password 'of its own';
      grant usage on schema latchkey to ${role};
      grant select, insert, update, delete on all tables in schema latchkey to ${role};
      grant select on public.test_clock to ${role};`);
    const url = new URL(ownerUrl);
    url.username = role;
    url.password = 'of its own';
    limited = postgres(url.href, { max: 1, onnotice: () => {} });
  });
  afterAll(async () => {
    await limited.end();
    await service.database.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  });

  test('cannot call `erase_user` without a grant', async () => {
    const person = await signUp(service);
    await service.auth.asOperator('ops').users.delete(person.username);
    await expect(eraseBySql(limited, userIdOf(person))).rejects.toMatchObject({ code: '42501' });
    expect(await eventsAbout(person)).toMatchObject([{ target_name: person.username }, {}]);
  });

  test('with a grant can erase a deleted user, but no other user, and the log records it', async () => {
    await service.database.sql.unsafe(
      `grant execute on function latchkey.erase_user(uuid, text, uuid, integer) to ${role}`,
    );
    const [person, other] = [await signUp(service), await signUp(service)];
    await expect(eraseBySql(limited, userIdOf(other))).rejects.toMatchObject({ code: '22023' });
    await service.auth.asOperator('ops').users.delete(person.username);
    const [row] = await eraseBySql(limited, userIdOf(person));
    expect(row?.erasure).toMatchObject({ events: 2, finished: true });
    const recorded = (await eventsAbout(person)).filter(({ event }) => event === 'user.erase');
    expect(recorded).toMatchObject([{ actor_name: 'a script' }]);
    expect(await eventsAbout(other)).toMatchObject([{ target_name: other.username }]);
  });

  test('with a grant cannot change events with the setting latchkey.erasing or after an erasure', async () => {
    const person = await signUp(service);
    await service.auth.asOperator('ops').users.delete(person.username);
    const before = await eventsAbout(person);
    const update = `update latchkey.audit_events set event = 'nothing.happened'`;
    for (const change of [update, 'delete from latchkey.audit_events']) {
      await expect(limited.unsafe(`set latchkey.erasing = 'on'; ${change}`)).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('append-only'),
      });
      const afterErasure = limited.begin(async (transaction) => {
        await eraseBySql(transaction as unknown as postgres.Sql, userIdOf(person));
        await transaction.unsafe(change);
      });
      await expect(afterErasure, change).rejects.toThrow('append-only');
    }
    await limited.unsafe('reset latchkey.erasing');
    expect(await eventsAbout(person)).toEqual(before);
  });

  test('cannot replace the functions that `erase_user` calls', async () => {
    const person = await signUp(service);
    await service.auth.asOperator('ops').users.delete(person.username);
    await service.database.sql.unsafe(`create schema own_${role} authorization ${role}`);
    await limited.unsafe(`
      create function own_${role}.sha256(bytea) returns bytea language sql as 'select null::bytea';
      create function own_${role}.left(text, integer) returns text language sql as 'select ''anything''';
      set search_path = own_${role}, pg_temp, pg_catalog`);
    const [row] = await eraseBySql(limited, userIdOf(person));
    expect(row?.erasure.pseudonym).toMatch(/^erased:[\da-f]{16}$/);
    await limited.unsafe('reset search_path');
  });
});

test('with the setting latchkey.erasing, the owner can neither delete nor truncate events', async () => {
  await signUp(service);
  const { sql } = service.database;
  const count = (await service.auditRows()).length;
  for (const change of ['delete from latchkey.audit_events', 'truncate latchkey.audit_events']) {
    const changing = sql.begin(async (transaction) => {
      await transaction`set local latchkey.erasing = 'on'`;
      await transaction.unsafe(change);
    });
    await expect(changing, change).rejects.toThrow('append-only');
  }
  expect((await service.auditRows()).length).toBe(count);
});
