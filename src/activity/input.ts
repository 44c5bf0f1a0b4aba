import * as v from 'valibot';
import { type AuditEventName, eventsNamed } from '../audit/events.ts';
import { isUuid } from '../core/identifiers.ts';
import { exactly } from '../http/input.ts';
import { pageQuery } from '../http/page.ts';

const id = v.pipe(
  v.string('expected one id'),
  v.metadata({ format: 'uuid' }),
  v.check(isUuid, 'expected an id'),
);

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const time = v.pipe(
  v.string('expected one time'),
  v.metadata({ format: 'date-time' }),
  v.check((text) => rfc3339.test(text) && Date.parse(text) >= 0, 'expected a time since 1970, as RFC 3339'),
  // In one spelling: JavaScript takes a 30th of February for what PostgreSQL refuses.
  v.transform((text) => new Date(text).toISOString()),
);

const events = v.pipe(
  v.string('expected one name'),
  v.metadata({ description: 'The name of an event, or a noun with its dot: `passkey.`' }),
  v.check((text) => eventsNamed(text).length > 0, 'expected the name of an event, or its noun with a dot'),
  v.transform(eventsNamed),
);

const filters = {
  event: v.optional(events),
  outcome: v.optional(v.picklist(['success', 'failure'], 'expected "success" or "failure"')),
  actor: v.optional(id),
  target: v.optional(id),
  organization: v.optional(id),
  from: v.optional(time),
  to: v.optional(time),
};

const toFilter = <Rest extends object>({
  event,
  actor,
  target,
  organization,
  ...rest
}: Rest & {
  event?: AuditEventName[] | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  organization?: string | undefined;
}) => ({ ...rest, events: event, actorId: actor, targetId: target, organizationId: organization });

export const exportQuery = v.pipe(exactly(filters), v.transform(toFilter));

export const auditQuery = v.pipe(exactly({ ...pageQuery, ...filters }), v.transform(toFilter));
