import { Readable } from 'node:stream';
import * as v from 'valibot';
import { listOwnEvents } from '../accounts/operations/list-own-events.ts';
import type { OwnEvent } from '../accounts/own-event.ts';
import type { AuditEvent } from '../audit/event.ts';
import { csvColumns, csvValuesOf } from '../audit/event-csv.ts';
import { type AuditEventName, eventsNamed } from '../audit/event-names.ts';
import { exportEvents, listEvents } from '../audit/operations/read-events.ts';
import { bounds } from '../core/bounds.ts';
import { csvRecord } from '../core/csv.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly, idText, oneOf } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import { timeText } from '../http/time-text.ts';
import { limitPerUser } from './concurrency.ts';
import { endpoints } from './endpoint.ts';
import { impersonatorResource } from './resources.ts';
import type { Serve } from './serve.ts';

const longestEventList = 2000;
export const eventList = v.pipe(
  v.string('expected a single event name'),
  v.metadata({
    description:
      'Event names, separated by commas. A prefix that ends with a dot, such as `passkey.`, matches all events that start with it.',
  }),
  v.check(
    (text) =>
      text.length <= longestEventList && text.split(',').every((name) => eventsNamed(name).length > 0),
    'expected an event name, or an event prefix that ends with a dot',
  ),
  v.transform((text) => [...new Set(text.split(',').flatMap(eventsNamed))].sort()),
);

const filters = {
  event: v.optional(eventList),
  outcome: v.optional(v.picklist(['success', 'failure'], 'expected "success" or "failure"')),
  actorId: v.optional(idText('The user who acted.')),
  impersonatorId: v.optional(idText('The superadmin who acted as another user.')),
  targetId: v.optional(
    idText('The user, passkey, session, invitation, organization or webhook that the event is about.'),
  ),
  organizationId: v.optional(idText('The organization that the event belongs to.')),
  from: v.optional(timeText('The start of the time range, inclusive.')),
  to: v.optional(timeText('The end of the time range, exclusive.')),
};

const toFilter = <Rest extends object>({
  event,
  ...rest
}: Rest & { event?: AuditEventName[] | undefined }) => ({ ...rest, events: event });

const exportQuery = v.pipe(
  exactly({ ...filters, format: v.optional(oneOf(['ndjson', 'csv']), 'ndjson') }),
  v.transform(toFilter),
);

const { event: eventFilter, outcome, from, to } = filters;
const ownQuery = v.pipe(
  exactly({ ...pageQuery, event: eventFilter, outcome, from, to }),
  v.transform(toFilter),
);

const auditQuery = v.pipe(exactly({ ...pageQuery, ...filters }), v.transform(toFilter));

export const auditEventResource = v.object({
  id,
  at: time,
  event: v.pipe(
    v.string(),
    v.description('The event name, as `noun.verb`. Later versions of the service can add names.'),
  ),
  outcome: v.picklist(['success', 'failure']),
  actor: v.object({
    type: v.picklist(['user', 'operator', 'anonymous', 'system']),
    id: v.nullable(id),
    name: v.nullable(v.string()),
  }),
  impersonator: v.pipe(
    v.nullable(impersonatorResource),
    v.description(
      'The superadmin or the operator who acted as the actor. Null: the session was not impersonated.',
    ),
  ),
  target: v.nullable(v.object({ type: v.string(), id: v.nullable(id), name: v.nullable(v.string()) })),
  organizationId: v.nullable(id),
  ip: v.nullable(v.string()),
  userAgent: v.nullable(v.string()),
  requestId: v.nullable(v.string()),
  details: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
  count: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.description(
      'How many times it happened: 1, or more for a burst of refusals. `details` of a burst contains the times of the first and the last refusal, `firstAt` and `lastAt`.',
    ),
  ),
}) satisfies v.GenericSchema<AuditEvent>;

/** An event of the caller's own account. */
export const ownEventResource = v.object({
  ...auditEventResource.entries,
  impersonator: v.nullable(v.object({ ...impersonatorResource.entries, name: v.nullable(v.string()) })),
}) satisfies v.GenericSchema<OwnEvent>;

export const auditEndpoints = endpoints({
  listAuditEvents: {
    on: 'GET /admin/audit',
    // Not `fresh`, unlike the export: one page reveals little, and an admin must be able to watch an attack.
    access: 'full_session',
    requires: 'audit:read',
    event: 'audit.list',
    budget: 'read',
    summary: 'List audit events',
    description:
      'Newest first. Superadmins see every event. Admins see only events of the organizations they manage. Admins do not see an event if its actor or target is a member now but joined after the event. Admins do not see events outside of organizations. For example, they see no sign-ins, not even their own. Admins get `ip`, `userAgent` and `requestId` only if the actor is a member of the organization now. Otherwise, these fields are null.',
    query: auditQuery,
    answers: { 200: pageOf('events', auditEventResource) },
  },
  exportAuditEvents: {
    on: 'GET /admin/audit/export',
    access: 'fresh',
    requires: 'audit:read',
    event: 'audit.export',
    budget: 'read',
    summary: 'Export audit events',
    description:
      'Returns the same events as the list, oldest first. The export itself is recorded as an event. The export fails if the caller’s session ends, or if the caller’s role or managed organizations change. If the export fails after the response has started, the service closes the connection. So the client gets a network error instead of an incomplete file. A user can run two exports at the same time. Another one gets `rate_limited`.',
    query: exportQuery,
    answers: {
      200: {
        contentType: 'application/x-ndjson',
        otherContentType: 'text/csv',
        description:
          'Default: one AuditEvent as JSON on each line. With `format=csv`: a header line, and one event on each line (RFC 4180). A value that a spreadsheet would read as a formula starts with an apostrophe.',
      },
    },
  },
});

export const ownEventEndpoints = endpoints({
  listOwnEvents: {
    on: 'GET /account/events',
    access: 'full_session',
    budget: 'read',
    summary: 'List the events of your account',
    description:
      'The events in which the caller acted, and the events about the caller’s account. Newest first. If another user caused an event, `ip`, `userAgent` and `requestId` are null. The names of other users and of operators are null, too. A caller without a session counts as the user, because most of these requests are the user’s own attempts to sign in. The list leaves out refused attempts of the caller that got the same response as an unknown id, because they would reveal that the id exists.',
    query: ownQuery,
    answers: { 200: pageOf('events', ownEventResource) },
  },
});

export function auditRoutes(serve: Serve, runtime: Runtime): void {
  // Each export keeps events in memory.
  const startExport = limitPerUser(bounds.exports, `You can run ${bounds.exports} exports at the same time.`);

  serve(auditEndpoints.listAuditEvents, async (ctx, by, { query }) => {
    ctx.body = await listEvents(runtime, by, query());
  });

  serve(ownEventEndpoints.listOwnEvents, async (ctx, by, { query }) => {
    ctx.body = await listOwnEvents(runtime, by, query());
  });

  serve(auditEndpoints.exportAuditEvents, async (ctx, by, { query, read }) => {
    const { format, ...filter } = query();
    if (ctx.method !== 'HEAD') ctx.res.once('close', startExport(read.user.id));
    // The response to HEAD has no body, so the audit log records no export.
    const batches = ctx.method === 'HEAD' ? null : await exportEvents(runtime, by, filter);
    ctx.status = 200;
    ctx.type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    ctx.attachment(`latchkey-audit.${format}`, { type: 'attachment' });
    if (batches === null) return;
    // Reads the next batch only when the client has consumed the previous one (backpressure). If a batch fails, the
    // connection is destroyed, so that the client does not mistake an incomplete response for a complete one.
    const lines = format === 'csv' ? csvLinesOf(batches) : linesOf(batches);
    ctx.body = Readable.from(lines, { objectMode: false }).once('error', () => ctx.res.destroy());
  });
}

async function* csvLinesOf(batches: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield csvRecord(csvColumns);
  for await (const events of batches) yield events.map((event) => csvRecord(csvValuesOf(event))).join('');
}

async function* linesOf(batches: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  for await (const events of batches) yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
