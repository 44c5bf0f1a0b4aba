import type { AuditEvent } from 'latchkey';
import type { Column } from '../../components/table.tsx';
import { shortTime } from '../../words/times.ts';

export const actorWords = ({ actor }: AuditEvent): string => {
  if (actor.type === 'anonymous') return actor.name ?? 'somebody';
  if (actor.type === 'system') return 'the service';
  const name = actor.name ?? 'somebody since deleted';
  return actor.type === 'operator' ? `${name} (operator)` : name;
};

export const targetWords = ({ target }: AuditEvent): string =>
  target === null ? '' : (target.name ?? `${target.type} ${target.id?.slice(0, 8) ?? ''}`);

export const activityColumns = (now: Date): Column<AuditEvent>[] => [
  { title: 'When', width: 11, cell: ({ at }) => shortTime(at, now) },
  {
    title: 'What',
    width: 24,
    cell: ({ outcome, event }) => `${outcome === 'success' ? '✓' : '✗'} ${event}`,
    colour: ({ outcome }) => (outcome === 'success' ? undefined : 'red'),
  },
  { title: 'Who', from: 56, cell: actorWords },
  { title: 'Whom or what', from: 72, cell: targetWords },
  { title: 'From', width: 15, from: 100, cell: ({ ip }) => ip ?? '' },
];
