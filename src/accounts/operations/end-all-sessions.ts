import { recordEvent } from '../../audit/store.ts';
import { isOperator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { sql } from '../../db/sql.ts';
import { deleteSomeImpersonationLinks } from '../../impersonation-links/store.ts';
import { deleteSomeRecoveryLinks } from '../../recovery/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { deleteSomeSessions } from '../../sessions/store/ending.ts';
import type { EndedSessions } from '../ended-sessions.ts';

/** How many rows of each table one statement deletes, so that it ends long before its time limit. */
const batch = 10_000;

/** The results of one statement. `rows`: the largest number of rows that it deleted from one table. */
interface BatchRow extends EndedSessions {
  rows: number;
  /** The time of the statement, as text with microseconds. */
  now: string;
}

/**
 * Ends every session of every user, and deletes every impersonation link, because it would open a new session. With
 * `recoveryLinks`, also deletes every recovery link.
 *
 * Each statement is a separate mutation, with an event of its own. If the call fails between two statements, another
 * call ends the rest. A session that a sign-in opens during the call can remain, and so can a link that is created then.
 *
 * At least two statements run, because a session that a link opens at the same moment is invisible to the first one. The
 * first one waits for these requests, since they change the link. A request can also end a session that a statement has
 * chosen, so a statement that deletes less than a full batch is not the last one.
 */
export async function endAllSessions(
  runtime: Runtime,
  by: Entitled<'user:end_sessions'>,
  { recoveryLinks }: { recoveryLinks: boolean },
): Promise<EndedSessions> {
  if (!isOperator(by.actor)) throw new AuthError('forbidden');
  const total: EndedSessions = { sessions: 0, recoveryLinks: 0 };
  let until: string | null = null;
  for (;;) {
    const [row]: BatchRow[] = await runtime.db.query<BatchRow>(endSomeSessions(by, recoveryLinks, until));
    if (!row || (until !== null && row.rows === 0)) return confirmAnswer(runtime, total);
    total.sessions += row.sessions;
    total.recoveryLinks += row.recoveryLinks;
    until ??= row.now;
  }
}

/** @param until leaves out later sign-ins and links. Null: this is the first statement, which records an event in any case */
function endSomeSessions(
  { actor }: Entitled<'user:end_sessions'>,
  recoveryLinks: boolean,
  until: string | null,
) {
  const live = {
    sessions: sql`select count(*)::integer from ended where was_live`,
    recoveryLinks: sql`select count(*)::integer from canceled where was_usable`,
  };
  const entry = recordEvent(
    actor,
    { event: 'user.end_all_sessions', outcome: 'success' },
    until === null
      ? undefined
      : sql`where exists (select from ended) or exists (select from links) or exists (select from canceled)`,
    undefined,
    live,
  );
  return sql`
    with ended as (${deleteSomeSessions(batch, until)}),
      links as (${deleteSomeImpersonationLinks(batch, until)}),
      canceled as (${deleteSomeRecoveryLinks(batch, recoveryLinks, until)}),
      entry as (${entry})
    select (${live.sessions}) as sessions, (${live.recoveryLinks}) as "recoveryLinks",
      greatest((select count(*) from ended), (select count(*) from links), (select count(*) from canceled))::integer
        as rows,
      latchkey.clock()::text as now`;
}
