import type { AuditEvent } from 'latchkey';
import type { Column } from '../../components/table.tsx';
import { localTime } from '../../words/times.ts';

export const describeActor = ({ actor }: AuditEvent): string => {
  if (actor.type === 'anonymous') return actor.name ?? 'unknown';
  if (actor.type === 'system') return 'the service';
  const name = actor.name ?? 'deleted user';
  return actor.type === 'operator' ? `${name} (operator)` : name;
};

const describeTarget = ({ target }: AuditEvent): string =>
  target === null ? '' : (target.name ?? `${target.type} ${target.id?.slice(0, 8) ?? ''}`);

export const activityColumns = (now: Date): Column<AuditEvent>[] => [
  { title: 'Time', width: 11, cell: ({ at }) => localTime(at, now) },
  {
    title: 'Event',
    width: 24,
    cell: ({ outcome, event, count }) =>
      `${outcome === 'success' ? '✓' : '✗'} ${count === 1 ? '' : `${count}× `}${event}`,
    color: ({ outcome }) => (outcome === 'success' ? undefined : 'red'),
  },
  { title: 'Actor', from: 56, cell: describeActor },
  { title: 'Target', from: 72, cell: describeTarget },
  { title: 'IP address', width: 15, from: 100, cell: ({ ip }) => ip ?? '' },
];
