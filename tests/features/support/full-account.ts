import type { Sql } from 'postgres';

/** The largest number of live sessions of an account. */
const mostSessions = 100;

/**
 * Adds live sessions to an account with SQL, until the account has `count`. All of them were used after the sessions
 * that the account already has. Their ids are in the order of their last use.
 */
export async function fillSessions(sql: Sql, userId: string, count = mostSessions): Promise<void> {
  await sql`
    insert into latchkey.sessions
      (id, user_id, epoch, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at)
    select ('ffffffff-' || lpad(n::text, 4, '0') || '-7000-8000-' || right(users.id::text, 12))::uuid, users.id,
      users.session_epoch, gen_random_uuid()::text, 'full', 'passkey', latchkey.clock(),
      latchkey.clock() + n * interval '1 millisecond', latchkey.clock(), latchkey.clock() + interval '1 day',
      latchkey.clock() + interval '1 hour'
    from latchkey.users,
      generate_series(1, ${count} - (select count(*)::int from latchkey.sessions where user_id = ${userId})) as n
    where users.id = ${userId}`;
}

/** The ids of the live sessions of an account, least recently used first. */
export async function liveSessions(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from latchkey.sessions where user_id = ${userId} and expires_at > latchkey.clock()
    order by last_seen_at, id`;
  return rows.map(({ id }) => id);
}
