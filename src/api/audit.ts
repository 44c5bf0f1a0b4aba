import { Readable } from 'node:stream';
import * as v from 'valibot';
import type { AuditEvent } from '../audit/event.ts';
import { type AuditEventName, eventsNamed } from '../audit/event-names.ts';
import { exportEvents, listEvents } from '../audit/operations/read-events.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { id, time } from '../http/resource.ts';
import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

const idText = v.pipe(
  v.string('expected one id'),
  v.metadata({ format: 'uuid' }),
  v.check(isUuid, 'expected a UUID'),
);

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const timeText = v.pipe(
  v.string('expected one time'),
  v.metadata({ format: 'date-time' }),
  v.check((text) => rfc3339.test(text) && Date.parse(text) >= 0, 'expected an RFC 3339 time since 1970'),
  // Normalized, because JavaScript accepts dates that PostgreSQL rejects, such as February 30.
  v.transform((text) => new Date(text).toISOString()),
);

const events = v.pipe(
  v.string('expected one name'),
  v.metadata({ description: 'The name of an event, or a prefix with a dot, such as `passkey.`' }),
  v.check((text) => eventsNamed(text).length > 0, 'expected the name of an event, or a prefix with a dot'),
  v.transform(eventsNamed),
);

const filters = {
  event: v.optional(events),
  outcome: v.optional(v.picklist(['success', 'failure'], 'expected "success" or "failure"')),
  actorId: v.optional(idText),
  targetId: v.optional(idText),
  organizationId: v.optional(idText),
  from: v.optional(timeText),
  to: v.optional(timeText),
};

const toFilter = <Rest extends object>({
  event,
  ...rest
}: Rest & { event?: AuditEventName[] | undefined }) => ({ ...rest, events: event });

const exportQuery = v.pipe(exactly(filters), v.transform(toFilter));

const auditQuery = v.pipe(exactly({ ...pageQuery, ...filters }), v.transform(toFilter));

export const auditEventResource = v.object({
  id,
  at: time,
  event: v.pipe(v.string(), v.description('`noun.verb`. Later versions can add names.')),
  outcome: v.picklist(['success', 'failure']),
  actor: v.object({
    type: v.picklist(['user', 'operator', 'anonymous', 'system']),
    id: v.nullable(id),
    name: v.nullable(v.string()),
  }),
  target: v.nullable(v.object({ type: v.string(), id: v.nullable(id), name: v.nullable(v.string()) })),
  organizationId: v.nullable(id),
  ip: v.nullable(v.string()),
  userAgent: v.nullable(v.string()),
  requestId: v.nullable(v.string()),
  details: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
}) satisfies v.GenericSchema<AuditEvent>;

export const auditEndpoints = endpoints({
  listAuditEvents: {
    on: 'GET /admin/audit',
    access: 'full_session',
    requires: 'audit:read',
    event: 'audit.list',
    budget: 'read',
    summary: 'List audit events',
    description:
      'Newest first. Superadmins see every event. Admins see the events of the organizations they manage, except events whose actor or target is a current member and joined later. Admins do not see events outside of organizations, such as sign-ins, even their own. For admins, `ip`, `userAgent` and `requestId` are null unless the actor is a member.',
    query: auditQuery,
    answers: { 200: pageOf('events', auditEventResource) },
  },
  exportAuditEvents: {
    on: 'GET /admin/audit/export',
    access: 'full_session',
    requires: 'audit:read',
    event: 'audit.export',
    budget: 'read',
    summary: 'Export audit events',
    description:
      'The same events as the list, oldest first, as a stream. The export is recorded as an event. The stream ends early when the caller’s session, role or organizations change.',
    query: exportQuery,
    answers: { 200: { contentType: 'application/x-ndjson', description: 'One AuditEvent per line.' } },
  },
});

export function auditRoutes(serve: Serve, runtime: Runtime): void {
  serve(auditEndpoints.listAuditEvents, async (ctx, by, { query }) => {
    ctx.body = await listEvents(runtime, by, query());
  });

  serve(auditEndpoints.exportAuditEvents, async (ctx, by, { query }) => {
    const filter = query();
    // A HEAD request exports nothing.
    const batches = ctx.method === 'HEAD' ? null : await exportEvents(runtime, by, filter);
    ctx.status = 200;
    ctx.type = 'application/x-ndjson';
    ctx.attachment('latchkey-audit.ndjson', { type: 'attachment' });
    if (batches === null) return;
    // The client controls the pace. If the database fails midway, the connection is destroyed, so the client notices.
    ctx.body = Readable.from(linesOf(batches), { objectMode: false }).once('error', () => ctx.res.destroy());
  });
}

async function* linesOf(batches: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  for await (const events of batches) yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
