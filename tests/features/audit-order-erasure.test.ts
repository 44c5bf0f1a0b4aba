import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp, userIdOf } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { committedRows, matches } from '../support/verify-entries.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ usernames: { change: 'user' } });
});
afterAll(() => service?.close());

const ops = () => service.auth.asOperator('ops');

/** A deleted user with events of every kind that an erasure changes. */
async function liveThere() {
  const person = await signUp(service);
  const renamed = `${person.username}-b`;
  await ops().users.rename(person.username, renamed);
  await ops().users.disable(renamed, { reason: `${person.username} has left` });
  await ops().users.delete(renamed);
  return { id: userIdOf(person), username: person.username, renamed };
}
const eventsAbout = async (id: string) =>
  (await committedRows(service.database.sql)).filter(({ actor_id, target_id }) =>
    [actor_id, target_id].includes(id),
  );

test('every event still matches its entry after an erasure, and other changes of the same events do not', async () => {
  const person = await liveThere();
  await sequence(service.database.sql);
  await ops().users.erase(person.id);
  await sequence(service.database.sql);

  const rows = await committedRows(service.database.sql);
  expect(rows.filter((row) => !matches(row))).toEqual([]);
  const erased = (await eventsAbout(person.id)).filter(({ kept }) => kept !== null);
  expect(erased.map(({ event }) => event).toSorted()).toEqual([
    'account.signup',
    'user.delete',
    'user.disable',
    'user.rename',
  ]);
  for (const row of erased) {
    expect(row.salt).toBeNull();
    expect(JSON.stringify(row)).not.toContain(person.username);
    expect(matches({ ...row, event: 'session.logout' })).toBe(false);
    expect(matches({ ...row, outcome: 'failure' })).toBe(false);
    if (row.event !== 'account.signup')
      expect(matches({ ...row, actor_name: 'another operator' })).toBe(false);
  }
});

test('an erased value cannot be guessed from what the erasure keeps', async () => {
  const person = await liveThere();
  const [before] = await service.database.sql<{ salt: Buffer }[]>`
    select salt from latchkey.audit_events where target_id = ${person.id} and event = 'user.delete'`;
  await sequence(service.database.sql);
  await ops().users.erase(person.id);
  const row = (await eventsAbout(person.id)).find(({ event }) => event === 'user.delete');
  if (!row || !before) throw new Error('no event');
  // With the salt, the commitment confirms a guess. Without the salt, the digests of the right and of a wrong name are
  // equally valid.
  expect(matches({ ...row, kept: null, salt: before.salt, target_name: person.renamed })).toBe(true);
  expect(matches({ ...row, kept: null, salt: before.salt, target_name: 'another' })).toBe(false);
  for (const guess of [person.renamed, 'another']) expect(matches({ ...row, target_name: guess })).toBe(true);
  const everything = await service.database
    .sql`select * from latchkey.audit_events where target_id = ${person.id}`;
  expect(JSON.stringify(everything)).not.toContain(JSON.stringify(before.salt));
});

test('an event that is erased before it gets its entry gets the same entry as the original event', async () => {
  const person = await liveThere();
  const [original] = await service.database.sql<{ id: string; salt: Buffer }[]>`
    select id, salt from latchkey.audit_events where target_id = ${person.id} and event = 'user.rename'`;
  await ops().users.erase(person.id);
  await sequence(service.database.sql);
  const row = (await eventsAbout(person.id)).find(({ id }) => id === original?.id);
  if (!row || !original) throw new Error('no event');
  expect(matches(row)).toBe(true);
  const details = JSON.stringify({ ...JSON.parse(row.details), to: person.renamed });
  expect(matches({ ...row, kept: null, salt: original.salt, target_name: person.username, details })).toBe(
    true,
  );
});

test('two erasures that change the same event at the same time both take effect', async () => {
  const { sql } = service.database;
  const [actor, target] = [await liveThere(), await liveThere()];
  const id = crypto.randomUUID();
  await sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name, ip, details)
    values (${id}, latchkey.clock(), 'user.get', 'success', 'user', ${actor.id}, ${actor.renamed}, 'user', ${target.id},
      ${target.renamed}, '192.0.2.1', '{}')`;
  await sequence(sql);
  const first = await sql.reserve();
  await first`begin`;
  await first`select latchkey.erase_user(${actor.id}::uuid, 'ops', gen_random_uuid(), 1000)`;
  const second = ops().users.erase(target.id);
  // The second erasure has read the event, and waits for the first one.
  for (;;) {
    const waiting = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like '%erase_user%' and datname = current_database()`;
    if (waiting.length > 0) break;
  }
  await first`commit`;
  first.release();
  await second;
  const row = (await committedRows(sql)).find((each) => each.id === id);
  if (!row) throw new Error('no event');
  expect([row.actor_name, row.target_name, row.ip]).toEqual([
    expect.stringMatching(/^erased:/),
    expect.stringMatching(/^erased:/),
    row.actor_name,
  ]);
  expect(row.target_name).not.toBe(row.actor_name);
  expect(matches(row)).toBe(true);
});

test('only events with an entry are pruned', async () => {
  const { sql } = service.database;
  const put = () => sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
    values (gen_random_uuid(), latchkey.clock() - interval '400 days', 'test.old', 'success', 'anonymous', '{}')`;
  const prune = async () =>
    (await sql`select latchkey.forget_audit_events(latchkey.clock() - interval '100 days', 10) as removed`)[0]
      ?.removed;
  await put();
  await sequence(sql);
  await put();
  expect(await prune()).toBe(1);
  expect(await prune()).toBe(0);
  await sequence(sql);
  expect(await prune()).toBe(1);
});
