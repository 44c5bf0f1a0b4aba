import * as v from 'valibot';
import { id, time } from '../http/resource.ts';
import type { AuditEvent } from './activity.ts';

export const auditEventResource = v.object({
  id,
  at: time,
  event: v.pipe(v.string(), v.description('`noun.verb`; further ones may appear.')),
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
