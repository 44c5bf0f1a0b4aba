import type { Sql } from 'postgres';
import type { StepRecord } from './step-record.ts';

type Kind = 'sign-up' | 'login' | 'logout';

interface Acknowledged {
  step: StepRecord;
  kind: Kind;
  userId: string;
  sessionId: string;
}

/** The result of comparing the acknowledged mutations of a step with the database. */
export interface Verdict {
  acknowledged: number;
  /** Mutations that the database or the audit log does not contain. */
  lost: number;
  /** Mutations with more than one event in the audit log. */
  recordedTwice: number;
}

const events: Record<Kind, string> = {
  'sign-up': 'account.signup',
  login: 'passkey.login',
  logout: 'session.logout',
};

/** The mutations that the service has acknowledged with 2xx. */
export class Ledger {
  readonly #entries: Acknowledged[] = [];

  add(step: StepRecord, kind: Kind, opened: { userId: string; sessionId: string }): void {
    this.#entries.push({ step, kind, ...opened });
  }

  /** Compares all acknowledged mutations with the database. */
  async verify(sql: Sql): Promise<Map<StepRecord, Verdict>> {
    const userIds = await idsIn(sql, 'select id from latchkey.users');
    const sessionIds = await idsIn(sql, 'select id from latchkey.sessions');
    const recorded = await this.#countEvents(sql);
    const ended = new Set(
      this.#entries.filter(({ kind }) => kind === 'logout').map((each) => each.sessionId),
    );
    const isKept = ({ kind, userId, sessionId }: Acknowledged): boolean => {
      if (kind === 'logout') return !sessionIds.has(sessionId);
      // Does not check the session of a sign-up, because a sign-out without a response may have ended it.
      const hasSession = kind === 'sign-up' || ended.has(sessionId) || sessionIds.has(sessionId);
      return userIds.has(userId) && hasSession;
    };
    const verdicts = new Map<StepRecord, Verdict>();
    for (const entry of this.#entries) {
      const verdict = verdicts.get(entry.step) ?? { acknowledged: 0, lost: 0, recordedTwice: 0 };
      verdicts.set(entry.step, verdict);
      const key = `${events[entry.kind]} ${entry.kind === 'logout' ? entry.sessionId : entry.userId}`;
      verdict.acknowledged += 1;
      const count = recorded.get(key) ?? 0;
      if (!isKept(entry) || count === 0) verdict.lost += 1;
      if (count > 1) verdict.recordedTwice += 1;
    }
    return verdicts;
  }

  /** Counts the events of each user (sign-up, login) and of each session (logout). */
  async #countEvents(sql: Sql): Promise<Map<string, number>> {
    const rows = await sql<{ key: string; count: number }[]>`
      select event || ' ' || case event when 'session.logout' then target_id else actor_id::text end as key,
        count(*)::integer as count
      from latchkey.audit_events
      where outcome = 'success' and event = any(${Object.values(events)})
      group by 1`;
    return new Map(rows.map(({ key, count }) => [key, count]));
  }
}

async function idsIn(sql: Sql, query: string): Promise<Set<string>> {
  const rows = await sql.unsafe<{ id: string }[]>(query);
  return new Set(rows.map(({ id }) => id));
}
