import type { AuditEvent } from './event.ts';

/** The names of the columns in a CSV file of audit events. */
export const csvColumns = [
  'id',
  'at',
  'event',
  'outcome',
  'count',
  'actorType',
  'actorId',
  'actorName',
  'impersonatorType',
  'impersonatorId',
  'impersonatorName',
  'targetType',
  'targetId',
  'targetName',
  'organizationId',
  'ip',
  'userAgent',
  'requestId',
  'details',
] as const;

/** The values of an event in the order of `csvColumns`. `details` is JSON. */
export const csvValuesOf = ({
  actor,
  impersonator,
  target,
  ...event
}: AuditEvent): (string | number | null)[] => {
  const values: Record<(typeof csvColumns)[number], string | number | null> = {
    id: event.id,
    at: event.at,
    event: event.event,
    outcome: event.outcome,
    count: event.count,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    impersonatorType: impersonator?.type ?? null,
    impersonatorId: impersonator?.id ?? null,
    impersonatorName: impersonator?.name ?? null,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    organizationId: event.organizationId,
    ip: event.ip,
    userAgent: event.userAgent,
    requestId: event.requestId,
    details: JSON.stringify(event.details),
  };
  return csvColumns.map((column) => values[column]);
};
