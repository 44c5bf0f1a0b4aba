import type { AuditEvent } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { type Person, userIdOf } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';
import { auditPath } from './authority.ts';

export const exportPath = `${auditPath}/export`;

/** The query parameters of a list or an export. Undefined ones are left out. */
export type AuditQuery = Record<string, string | number | undefined>;

const queryOf = (query: AuditQuery): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    ),
  ).toString();

export const listAudit = (browser: TestAgent, filter: AuditQuery = {}): Promise<Answer> =>
  browser.get(`${auditPath}?${queryOf(filter)}`);

/** The ids on one page of the log. */
export async function idsOn(browser: TestAgent, filter: AuditQuery = {}): Promise<string[]> {
  const { status, body } = await listAudit(browser, { limit: 200, ...filter });
  if (status !== 200) throw new Error(`the audit log answered ${status} ${body.code}`);
  return (body.events as AuditEvent[]).map(({ id }) => id);
}

/**
 * Reads all pages and returns their events in order.
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
    if (status !== 200) throw new Error(`page ${pages} answered ${status} ${body.code}`);
    events.push(...body.events);
    if (body.nextCursor === null) return { events, pages };
    cursor = body.nextCursor;
  }
}

/** Exports the log and parses each line. */
export async function exportAudit(
  browser: TestAgent,
  filter: AuditQuery = {},
): Promise<{ answer: Answer; events: AuditEvent[] }> {
  const answer = await browser.get(`${exportPath}?${queryOf(filter)}`);
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status} ${answer.body.code}`);
  return { answer, events: linesOf(`${answer.body ?? ''}`) };
}

/** @throws if the text does not end with a line break, or if a line is not JSON */
export function linesOf(text: string): AuditEvent[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line is incomplete');
  return lines.map((line) => JSON.parse(line));
}

/** Matches the statements with which an export reads the log. */
export const readsBatch = /order by audit_events\.at, audit_events\.id/;

/** An event that a test inserts. */
export interface GivenEvent {
  id?: string;
  /** RFC 3339, with up to six decimals like the database. */
  at: string;
  event?: string;
  outcome?: 'success' | 'failure';
  actorId?: string | null;
  targetId?: string | null;
  /** Default: "user". */
  targetType?: string;
  organizationId?: string | null;
}

/** Inserts events as the service does, and returns their ids in the order given. */
export async function insertEvents(
  { database: { sql } }: Pick<TestService, 'database'>,
  given: readonly GivenEvent[],
): Promise<string[]> {
  const rows = given.map(({ id = crypto.randomUUID(), ...event }) => ({ id, ...event }));
  // As JSON, because the driver would truncate times to milliseconds.
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

/** Sets the time at which a user joined an organization. A user who is not a member becomes one. */
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
