import type { AuditEvent, FedEvent } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import type { TestService } from '../../support/test-service.ts';

const feedPath = '/auth/admin/audit/feed';

export interface Fed {
  events: { cursor: string; event: AuditEvent }[];
  cursor: string | null;
}

export type FeedQuery = Record<string, string | number>;

export function getFeed(browser: TestAgent, query: FeedQuery = {}): Promise<Answer> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, `${value}`);
  return browser.get(`${feedPath}?${parameters}`);
}

/** Reads the feed until a page has no events and the same cursor. Returns the events and the last cursor. */
export async function readOn(
  browser: TestAgent,
  after: string | null,
  query: FeedQuery = {},
): Promise<{ events: AuditEvent[]; cursor: string | null }> {
  const events: AuditEvent[] = [];
  for (let cursor = after; ; ) {
    const { status, body } = await getFeed(browser, { ...query, ...(cursor !== null && { after: cursor }) });
    if (status !== 200) throw new Error(`the feed returned ${status} ${JSON.stringify(body)}`);
    const page: Fed = body;
    events.push(...page.events.map(({ event }) => event));
    if (page.cursor === cursor) return { events, cursor };
    cursor = page.cursor;
  }
}

/** Waits until every committed event has a position. */
export const untilSequenced = ({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> =>
  eventually(async () => {
    const [waiting] = await sql`
      select from latchkey.audit_events as events
      where not exists (select from latchkey.audit_entries where audit_entries.event_id = events.id)`;
    return waiting === undefined;
  });

export const lastCursor = async ({ database }: Pick<TestService, 'database'>): Promise<string> => {
  await untilSequenced(database);
  const [entry] = await database.sql<{ cursor: string }[]>`
    select position || ':' || event_id as cursor from latchkey.audit_entries order by position desc limit 1`;
  return entry?.cursor ?? '';
};

/**
 * Inserts an event as a statement of the service would, in a transaction of its own.
 *
 * @param age how long ago the event was recorded, as an interval of PostgreSQL
 */
export const insertEvent = (sql: TestDatabase['sql'], name: string, age = '0 minutes') => sql`
  insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, details)
  values (gen_random_uuid(), latchkey.clock() - ${age}::interval, 'audit.export', 'success', 'operator', ${name}, '{}')`;

/** Inserts an event in a transaction that stays open until `commit` is called. */
export async function insertLate(
  { url }: Pick<TestDatabase, 'url'>,
  name: string,
): Promise<{ commit(): Promise<void> }> {
  const { default: postgres } = await import('postgres');
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const connection = await client.reserve();
  await connection`begin`;
  await insertEvent(connection as never, name);
  return {
    commit: async () => {
      await connection`commit`;
      connection.release();
      await client.end();
    },
  };
}

/** The names of the actors of events that `insertEvent` and `insertLate` have inserted. */
export const namesOf = (events: readonly (AuditEvent | FedEvent)[]): string[] =>
  events
    .map((each) => ('cursor' in each ? each.event : each))
    .filter(({ event, actor }) => event === 'audit.export' && actor.type === 'operator')
    .map(({ actor }) => `${actor.name}`);
