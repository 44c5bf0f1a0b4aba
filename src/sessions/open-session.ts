import { recordEvent } from '../audit/store.ts';
import type { Actor } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import type { User } from '../core/user.ts';
import { andExists, from, oneRow, type Sql, sql } from '../db/sql.ts';
import { endOldestSessions, selectRoom } from './store/room.ts';

/** The parts of a statement that keep an account within the largest number of sessions. */
export interface Room {
  /** The statement opens a session only if this `select` returns a row. */
  check: Sql;
  /** CTEs that end the oldest sessions, or nothing. `opening`: a CTE that returns a row if a session is opened. */
  make(opening: string): Sql;
}

/**
 * Runs a statement that opens a session for a user. If the account has the largest number of sessions, the statement
 * also ends the least recently used session.
 *
 * Almost all accounts have few sessions. So the first attempt checks for room, and writes nothing if the account has no
 * room. The second attempt makes room.
 *
 * Concurrent statements do not see the sessions that the others open. So several sign-ins at the same moment can bring
 * an account from fewer sessions to more than the largest number. The excess is at most the number of database
 * connections of all processes, and the next sign-in ends it.
 *
 * @param compose the statement, which must use both parts of the room
 * @returns undefined if the statement opened no session, because another of its conditions was false
 */
export async function openSession<Row extends object>(
  { db }: Runtime,
  actor: Actor,
  user: User,
  compose: (room: Room) => Sql,
): Promise<Row | undefined> {
  const [opened] = await db.query<Row>(compose({ check: selectRoom(user.id), make: () => sql`` }));
  if (opened) return opened;
  const [openedInstead] = await db.query<Row>(
    compose({ check: oneRow, make: (opening) => endOldest(actor, user, opening) }),
  );
  return openedInstead;
}

const endOldest = (actor: Actor, user: User, opening: string): Sql => {
  const target = { type: 'user', id: user.id, name: user.username } as const;
  const entry = { event: 'session.end_oldest', outcome: 'success', target } as const;
  return sql`
    ${endOldestSessions(user.id, actor, andExists(opening))},
    ended_any as (select 1 as one from ended_oldest limit 1),
    ended_entry as (${recordEvent(actor, entry, from('ended_any'), user)}),`;
};
