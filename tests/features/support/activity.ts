import type { AuditEvent } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { type Person, userIdOf } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';
import { auditPath } from './authority.ts';

export const exportPath = `${auditPath}/export`;

/** The query parameters of a list or an export. Undefined parameters are not sent. */
export type AuditQuery = Record<string, string | number | undefined>;

const queryOf = (query: AuditQuery): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    ),
  ).toString();

export const listAudit = (browser: TestAgent, filter: AuditQuery = {}): Promise<Answer> =>
  browser.get(`${auditPath}?${queryOf(filter)}`);

/** The ids of the events on one page of the audit log. */
export async function idsOn(browser: TestAgent, filter: AuditQuery = {}): Promise<string[]> {
  const { status, body } = await listAudit(browser, { limit: 200, ...filter });
  if (status !== 200) throw new Error(`the audit log returned ${status} ${body.code}`);
  return (body.events as AuditEvent[]).map(({ id }) => id);
}

/**
 * Reads all pages of the audit log and returns their events in order.
 *
 * @param between runs concurrently with each request
 */
export async function walkAudit(
  browser: TestAgent,
  filter: AuditQuery,
  between: () => Promise<unknown> = async () => {},
): Promise<{ events: AuditEvent[]; pages: number }> {
  const events: AuditEvent[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const [{ status, body }] = await Promise.all([listAudit(browser, { ...filter, cursor }), between()]);
    if (status !== 200) throw new Error(`page ${pages} returned ${status} ${body.code}`);
    events.push(...body.events);
    if (body.nextCursor === null) return { events, pages };
    cursor = body.nextCursor;
  }
}

/** Exports the audit log and parses each line. */
export async function exportAudit(
  browser: TestAgent,
  filter: AuditQuery = {},
): Promise<{ answer: Answer; events: AuditEvent[] }> {
  const answer = await browser.get(`${exportPath}?${queryOf(filter)}`);
  if (answer.status !== 200) throw new Error(`the export returned ${answer.status} ${answer.body.code}`);
  return { answer, events: linesOf(`${answer.body ?? ''}`) };
}

/** @throws if the text does not end with a line break, or if a line is not JSON */
export function linesOf(text: string): AuditEvent[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line is incomplete');
  return lines.map((line) => JSON.parse(line));
}

/** Matches the statement that reads one batch of events for an export. */
export const readsBatch = /order by audit_events\.at, audit_events\.id/;

/** An event that a test inserts. */
export interface GivenEvent {
  id?: string;
  /** RFC 3339, with up to six decimals of a second, as in the database. */
  at: string;
  event?: string;
  outcome?: 'success' | 'failure';
  actorId?: string | null;
  targetId?: string | null;
  /** Default: "user". */
  targetType?: string;
  organizationId?: string | null;
}

/** Inserts events with SQL. Returns their ids in the given order. */
export async function insertEvents(
  { database: { sql } }: Pick<TestService, 'database'>,
  given: readonly GivenEvent[],
): Promise<string[]> {
  const rows = given.map(({ id = crypto.randomUUID(), ...event }) => ({ id, ...event }));
  // The rows are sent as JSON, because the driver truncates times to milliseconds.
  await sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, target_type, target_id, organization_id, details)
    select id, at, coalesce(event, 'passkey.login'), coalesce(outcome, 'success'),
      case when "actorId" is null then 'anonymous' else 'user' end, "actorId",
      case when "targetId" is not null then coalesce("targetType", 'user') end, "targetId", "organizationId", '{}'
    from jsonb_to_recordset(${sql.json(rows as never)}) as given (
      id uuid, at timestamptz, event text, outcome text, "actorId" uuid, "targetType" text, "targetId" text,
      "organizationId" uuid)`;
  return rows.map(({ id }) => id);
}

/** Sets the time when a user joined an organization, with SQL. Adds the user if they are not a member. */
export const setJoined = (
  { database: { sql } }: Pick<TestService, 'database'>,
  organization: { id: string },
  person: Pick<Person, 'signedUp'>,
  at: string,
) => sql`
  insert into latchkey.memberships (organization_id, user_id, role, joined_at)
  values (${organization.id}, ${userIdOf(person)}, 'user', ${at}::text::timestamptz)
  on conflict (organization_id, user_id) do update set joined_at = excluded.joined_at`;

/**
 * Inserts events with a single statement.
 *
 * @param bytes approximate size of each event
 */
export const insertManyEvents = (
  { database }: Pick<TestService, 'database'>,
  count: number,
  { at = 'now()', event = 'passkey.login', bytes = 0 } = {},
) =>
  database.sql.unsafe(
    `insert into latchkey.audit_events (id, at, event, outcome, actor_type, user_agent, details)
     select gen_random_uuid(), ${at}, '${event}', 'success', 'anonymous', rpad('seeded ' || n, ${bytes || 20}), '{}'
     from generate_series(1, ${count}) as n`,
  );
