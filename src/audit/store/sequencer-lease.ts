import { type Sql, sql } from '../../db/sql.ts';

/** How long a process sequences alone, after the last renewal. */
const leaseSeconds = 15;

/**
 * Takes or renews the lease. Returns no row if another process has it. The lease only prevents useless work: two
 * processes that both sequence do no harm. It uses the time of the server, which tests do not move.
 */
export const renewLease = (holder: string, isCaughtUp: boolean): Sql => sql`
  update latchkey.audit_log
  set holder = ${holder}::uuid, held_until = now() + ${`${leaseSeconds} seconds`}::text::interval,
    caught_up_at = case when ${isCaughtUp}::boolean then now() else audit_log.caught_up_at end
  where audit_log.holder = ${holder}::uuid or audit_log.held_until is null or audit_log.held_until < now()
  returning audit_log.holder`;

export const releaseLease = (holder: string): Sql => sql`
  update latchkey.audit_log set held_until = null where audit_log.holder = ${holder}::uuid`;
