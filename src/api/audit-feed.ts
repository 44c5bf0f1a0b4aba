import type { Context } from 'koa';
import * as v from 'valibot';
import { readCursor } from '../audit/log/cursor.ts';
import { proveEvent } from '../audit/operations/prove-event.ts';
import { type AuditFeed, readFeed } from '../audit/operations/read-feed.ts';
import { bounds } from '../core/bounds.ts';
import { AuthError } from '../core/errors.ts';
import { isUuid } from '../core/identifiers.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly } from '../http/input.ts';
import { pageQuery } from '../http/page.ts';
import { auditEventResource, eventList } from './audit.ts';
import { limitPerUser } from './concurrency.ts';
import { endpoints } from './endpoint.ts';
import { idOf, type Serve } from './serve.ts';

/** The longest wait is shorter than the usual time limits of proxies. */
const longestWaitSeconds = 30;
const expectedWait = `expected a number of seconds from 0 to ${longestWaitSeconds}`;

const waitSeconds = v.pipe(
  v.string('expected a single number'),
  v.metadata({
    type: 'integer',
    minimum: 0,
    maximum: longestWaitSeconds,
    default: 0,
    description: 'How many seconds to wait for an event if there is none.',
  }),
  v.check((given) => /^\d{1,2}$/.test(given), expectedWait),
  v.transform(Number),
  v.check((seconds) => seconds <= longestWaitSeconds, expectedWait),
);

const after = v.pipe(
  v.string('expected a single cursor'),
  v.metadata({
    description:
      'A `cursor` of an earlier response: the events after it. `end`: the events after the last one, so that the response has its cursor. Absent: from the start of the log.',
  }),
);

const feedQuery = v.pipe(
  exactly({
    after: v.optional(after),
    limit: pageQuery.limit,
    wait: v.optional(waitSeconds, '0'),
    event: v.optional(eventList),
  }),
  v.transform(({ wait, event, ...rest }) => ({ ...rest, waitSeconds: wait, events: event })),
);

const cursor = (description: string) => v.pipe(v.string(), v.description(description));

const feedResource = v.object({
  events: v.array(
    v.object({
      cursor: cursor('The place of the event in the log. Pass it as `after` to read on after this event.'),
      event: auditEventResource,
    }),
  ),
  cursor: v.nullable(
    cursor(
      'Pass it as `after` in the next request. With a filter, it can be beyond the last event of the response. Null: the log is empty.',
    ),
  ),
}) satisfies v.GenericSchema<AuditFeed>;

export const auditFeedEndpoints = endpoints({
  followAuditEvents: {
    on: 'GET /admin/audit/feed',
    access: 'full_session',
    requires: 'audit:read',
    everywhere: true,
    event: 'audit.list',
    budget: 'read',
    summary: 'Follow the audit log',
    description:
      'Returns audit events in the order in which the service has numbered them. Requests that continue with the `cursor` of the last response get each event once, also events of transactions that committed late. A new event appears about a second after it was committed. With `wait`, the response comes as soon as there is an event. If there is none after `after`, the response has the same `cursor`. `log_changed`: the log no longer has the event of the cursor, as after a failover that lost the latest changes.',
    query: feedQuery,
    answers: { 200: feedResource },
    errors: ['log_changed'],
  },
  proveAuditEvent: {
    on: 'GET /admin/audit/:id/proof',
    access: 'full_session',
    requires: 'audit:read',
    everywhere: true,
    event: 'audit.list',
    budget: 'read',
    summary: 'Prove an audit event',
    description:
      'Returns a file that proves to others that the audit log contains the event. It contains the event with all fields. The command `latchkey audit check-proof` and the function `checkAuditProof` check it with the public key of the log. `not_found`: the log has no event with this id, or the event has no position yet, because it was committed in the last second.',
    answers: {
      200: { contentType: 'text/plain', description: 'A proof (C2SP tlog-proof).' },
    },
    errors: ['not_found'],
  },
});

export function auditFeedRoutes(serve: Serve, runtime: Runtime): void {
  const startWaiting = limitPerUser(
    bounds.waitingFeeds,
    `You can wait for audit events in ${bounds.waitingFeeds} requests at the same time.`,
  );

  serve(auditFeedEndpoints.followAuditEvents, async (ctx, by, { query, read }) => {
    const { after: text, ...request } = query();
    const from = text === undefined || text === 'end' ? (text ?? null) : readCursor(text);
    if (request.waitSeconds > 0) ctx.res.once('close', startWaiting(read.user.id));
    // The response to HEAD has no body.
    const waitSeconds = ctx.method === 'HEAD' ? 0 : request.waitSeconds;
    const signal = untilClosed(ctx);
    ctx.body = await readFeed(runtime, by, { ...request, after: from, waitSeconds, signal });
  });

  serve(auditFeedEndpoints.proveAuditEvent, async (ctx, by) => {
    const eventId = idOf(ctx);
    const proof = isUuid(eventId) ? await proveEvent(runtime, by, eventId) : null;
    if (proof === null) throw new AuthError('not_found');
    ctx.body = proof;
    ctx.type = 'text/plain';
    // The proof contains texts that users have chosen.
    ctx.attachment(`${eventId}.tlog-proof`, { type: 'attachment' });
  });
}

/** Aborts when the client closes the connection. */
function untilClosed({ res }: Context): AbortSignal {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  return closed.signal;
}
