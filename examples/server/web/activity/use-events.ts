import type { AuditEvent } from 'latchkey/client';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useList } from '../use-list.ts';
import { type Choice, filtersOf } from './choice.ts';
import { peopleOf, rememberName } from './people.ts';

/** Loads the events that match the filters. */
export function useEvents(choice: Choice) {
  const [unknownUser, setUnknownUser] = useState<string | null>(null);
  const list = useList<AuditEvent>(
    useCallback(
      async (cursor, signal) => {
        const people = await peopleOf(choice, signal);
        if ('unknown' in people) {
          if (!signal.aborted) setUnknownUser(people.unknown);
          // Without the filter, the list would show the events of all users.
          return { items: [], nextCursor: null };
        }
        const filters = filtersOf(choice, people.ids);
        const { events, nextCursor } = await auth.audit.list({ ...filters, cursor }, { signal });
        for (const { actor } of events) if (actor.id && actor.name) rememberName(actor.id, actor.name);
        if (!signal.aborted) setUnknownUser(null);
        return { items: events, nextCursor };
      },
      [choice],
    ),
  );
  return { list, unknownUser };
}
