import type { AuditEvent } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { type Person, userIdOf } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';
import { auditPath } from './authority.ts';

export const exportPath = `${auditPath}/export`;

/** What to look for; what is undefined is not asked for. */
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

/** The events of all pages, one after the other. @param between happens beside each of the requests */
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

/** The lines of an export, each parsed. */
export async function exportAudit(
  browser: TestAgent,
  filter: AuditQuery = {},
): Promise<{ answer: Answer; events: AuditEvent[] }> {
  const answer = await browser.get(`${exportPath}?${queryOf(filter)}`);
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status} ${answer.body.code}`);
  return { answer, events: linesOf(`${answer.body ?? ''}`) };
}

/** @throws where the text does not end with the end of a line, or a line is no JSON */
export function linesOf(text: string): AuditEvent[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line was cut');
  return lines.map((line) => JSON.parse(line));
}

/** Tells the statements by which an export reads the log. */
export const readsBatch = /order by audit_events\.at, audit_events\.id/;

/** An event that a test has written itself. */
export interface GivenEvent {
  id?: string;
  /** RFC 3339, as fine as the database's. */
  at: string;
  event?: string;
  outcome?: 'success' | 'failure';
  actorId?: string | null;
  targetId?: string | null;
  /** "user" unless given. */
  targetType?: string;
  organizationId?: string | null;
}

/** Writes events as the service would; returns their ids in the order given. */
export async function insertEvents(
  { database: { sql } }: Pick<TestService, 'database'>,
  given: readonly GivenEvent[],
): Promise<string[]> {
  const rows = given.map(({ id = crypto.randomUUID(), ...event }) => ({ id, ...event }));
  // By way of JSON: the driver would cut a time to milliseconds.
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

/** Makes a user a member of an organization, or a member again, as if that had happened at this time. */
export const setJoined = (
  { database: { sql } }: Pick<TestService, 'database'>,
  organization: { id: string },
  person: Pick<Person, 'signedUp'>,
  at: string,
) => sql`
  insert into latchkey.memberships (organization_id, user_id, role, joined_at)
  values (${organization.id}, ${userIdOf(person)}, 'user', ${at}::text::timestamptz)
  on conflict (organization_id, user_id) do update set joined_at = excluded.joined_at`;

/** So many events of a single statement and instant, made by the database itself. @param bytes of each, about */
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
