import type { AuditEvent, AuditFilters } from 'latchkey/client';
import { eventsOf } from './kinds.ts';
import { type Period, periods, timesOf } from './period.ts';

/** How a user can be involved in an event. */
export type Part = 'actor' | 'target' | 'impersonator';

/** The values of the filters. The URL contains them, so that links and the back button restore them. */
export interface Choice extends Record<Part, string> {
  /** The id of a kind, or event names and prefixes. */
  kind: string;
  outcome: AuditEvent['outcome'] | '';
  organization: string;
  period: Period;
  firstDay: string;
  lastDay: string;
}

export const activityPath = '/admin/activity';

/** The name of each value in the URL. */
const names: Record<keyof Choice, string> = {
  kind: 'type',
  outcome: 'outcome',
  actor: 'actor',
  target: 'target',
  impersonator: 'impersonator',
  organization: 'organization',
  period: 'period',
  firstDay: 'from',
  lastDay: 'to',
};

/** Reads the values from the query of the URL. Ignores unknown outcomes and periods. */
export function readChoice(query: Record<string, string | undefined>): Choice {
  const text = (name: keyof Choice) => query[names[name]]?.trim() ?? '';
  const firstDay = text('firstDay');
  const lastDay = text('lastDay');
  return {
    kind: text('kind'),
    outcome: (['success', 'failure'] as const).find((outcome) => outcome === text('outcome')) ?? '',
    actor: text('actor'),
    target: text('target'),
    impersonator: text('impersonator'),
    organization: text('organization'),
    period: firstDay || lastDay ? 'custom' : (periods.find((period) => period === text('period')) ?? ''),
    firstDay,
    lastDay,
  };
}

/** The URL of the events. Omits empty values. */
export function activityUrl(choice: Partial<Choice>): string {
  // If the URL contains days, the period is custom, so the URL does not need the period.
  const hasDays = choice.firstDay || choice.lastDay;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...choice, ...(hasDays && { period: '' }) }))
    if (value !== '') query.set(names[name as keyof Choice], value);
  const text = query.toString();
  return text ? `${activityPath}?${text}` : activityPath;
}

/** Whether the list shows only some of the events. */
export const isNarrowed = (choice: Choice): boolean =>
  Object.entries(choice).some(([name, value]) => value !== '' && !(name === 'period' && value === 'custom'));

/** The filters of the request. @param people the ids of the users in the choice */
export const filtersOf = (
  choice: Choice,
  people: Readonly<Partial<Record<Part, string>>>,
  now = new Date(),
): AuditFilters => ({
  event: choice.kind ? eventsOf(choice.kind) : undefined,
  outcome: choice.outcome || undefined,
  actorId: people.actor,
  targetId: people.target,
  impersonatorId: people.impersonator,
  organizationId: choice.organization || undefined,
  ...timesOf(choice, now),
});
