import type { AuditEvent, AuditFilters } from 'latchkey/client';
import { useMemo, useState } from 'preact/hooks';
import { beginningOf } from './calendar.ts';
import { usePerson } from './use-person.ts';

/** The values of the filters on the page. */
export interface Choice {
  kind: string;
  outcome: AuditEvent['outcome'] | '';
  person: string;
  part: 'actorId' | 'targetId';
  organization: string;
  /** Days in the user's time zone. Both days are included. */
  firstDay: string;
  lastDay: string;
}

/** An id that no user has. */
const noUser = '00000000-0000-0000-0000-000000000000';

const everything: Choice = {
  kind: '',
  outcome: '',
  person: '',
  part: 'actorId',
  organization: '',
  firstDay: '',
  lastDay: '',
};

/** The filter values on the page, and the filters to send to the service. */
export function useFilters() {
  const [choice, setChoice] = useState(everything);
  const person = usePerson(choice.person);
  const { kind, outcome, part, organization, firstDay, lastDay } = choice;
  const filters = useMemo<AuditFilters>(
    () => ({
      event: kind || undefined,
      outcome: outcome || undefined,
      // Until the user is found, no event matches. Without this, an unknown username would show all events.
      [part]: person.id ?? (choice.person.trim() === '' ? undefined : noUser),
      organizationId: organization || undefined,
      from: beginningOf(firstDay, 0),
      to: beginningOf(lastDay, 1),
    }),
    [kind, outcome, part, person.id, choice.person, organization, firstDay, lastDay],
  );
  const choose = (change: Partial<Choice>) => setChoice((now) => ({ ...now, ...change }));
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  return { choice, choose, person, filters, isNarrowed };
}
