import type postgres from 'postgres';

/** What has expired in the data of the test, as `Operation.cleans` of each job of housekeeping. */
export const cleaning: Readonly<Record<string, Record<string, number>>> = {
  'deletes expired sessions': { sessions: 2 },
  'deletes expired challenges': { spent_challenges: 1 },
  'deletes expired recovery links': { recovery_links: 1 },
  'deletes expired impersonation links': { impersonation_links: 1 },
  'releases deleted usernames': { users: 1, 'users version': 1, 'event success': 1 },
  'releases erased usernames': { erased_usernames: 1, 'event success': 1 },
  'counts sign-ins': {},
  // The deleted event, and the event that records the deletion.
  'prunes the audit log': { 'event success': 2 },
};

/** The ids of users whose data is out of date. */
interface Expiring {
  /** Has two expired sessions, and an expired recovery link. */
  usr: string;
  /** Has an expired impersonation link. */
  ann: string;
  /** Deleted. Housekeeping releases the username. */
  deleted: string;
  /** Erased. Housekeeping releases the digest of the username. */
  erased: string;
}

/** Puts rows into the past. The rows that have not expired stay, so that housekeeping can delete too much. */
export async function expireRows(sql: postgres.Sql, { usr, ann, deleted, erased }: Expiring): Promise<void> {
  const past = "latchkey.clock() - interval '1 hour'";
  await sql.unsafe(`
    begin;
    set local session_replication_role = replica;
    insert into latchkey.sessions
      select (jsonb_populate_record(sessions, jsonb_build_object(
        'id', gen_random_uuid(), 'token_hash', 'expired ' || number, 'expires_at', ${past}))).*
      from latchkey.sessions, generate_series(1, 2) as number
      where user_id = '${usr}' and number <= 2 and kind = 'full' and impersonator_id is null
      order by sessions.id, number limit 2;
    insert into latchkey.spent_challenges (nonce, forget_at) values ('expired', ${past});
    update latchkey.recovery_links set expires_at = ${past} where user_id = '${usr}';
    update latchkey.impersonation_links set expires_at = ${past} where user_id = '${ann}';
    update latchkey.users set deleted_at = deleted_at - interval '40 days' where id in ('${deleted}', '${erased}');
    update latchkey.erased_usernames set deleted_before = deleted_before - interval '40 days';
    -- One statement counts these hours. With more hours, the service would wait between statements.
    update latchkey.counted_sign_ins set until = date_trunc('hour', latchkey.clock(), 'UTC') - interval '4 hours';
    -- The other events would only slow down the comparison of schedules.
    delete from latchkey.audit_events where id <> (select min(id::text)::uuid from latchkey.audit_events);
    update latchkey.audit_events set at = at - interval '2 years';
    -- Housekeeping deletes only events that the log contains.
    insert into latchkey.audit_entries (position, event_id, at, commitment)
      select 0, id, at, '' from latchkey.audit_events;
    commit`);
}
