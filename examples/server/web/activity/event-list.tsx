import type { AuditEvent, OwnEvent } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { announce } from '../components/announcer.tsx';
import { LoadFailed } from '../components/load-failed.tsx';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { LongList } from '../use-list.ts';
import type { EventContext } from './event-context.ts';
import { EventRow } from './event-row.tsx';
import { dayName, daysOf } from './times.ts';

interface EventListProps<Event> {
  list: LongList<Event>;
  context: EventContext;
  /** Shown instead of an empty list. */
  empty: ComponentChildren;
}

/** Events, newest first, in groups by day. */
export function EventList<Event extends AuditEvent | OwnEvent>({
  list,
  context,
  empty,
}: EventListProps<Event>) {
  const { resource, isStale, reload, more } = list;
  const end = useRef<HTMLSpanElement>(null);
  if (resource.status === 'loading') return <Skeleton rows={6} label={t('activity.loading')} />;
  if (resource.status === 'failed') return <LoadFailed error={resource.error} retry={reload} />;
  const { items, nextCursor } = resource.value;
  if (items.length === 0) return <>{empty}</>;

  const showMore = async () => {
    await more.run();
    announce(t('activity.loadedMore'));
    // After the last page, the focused button no longer exists, so the focus moves to the end of the list.
    requestAnimationFrame(() => end.current?.focus());
  };

  return (
    <>
      <div class="list events" aria-busy={isStale}>
        {daysOf(items).map(({ id, events }) => (
          <Day key={id} events={events} context={context} />
        ))}
        <div class="events__footer">
          <span tabIndex={-1} ref={end}>
            {t(nextCursor ? 'activity.shownSoFar' : 'activity.shownAll', { count: items.length })}
          </span>
          {nextCursor && (
            <Button size="small" busy={more.busy} onClick={() => void showMore()}>
              {t('activity.showMore')}
            </Button>
          )}
        </div>
      </div>
      <ErrorNotice error={more.error} />
    </>
  );
}

function Day({ events, context }: { events: (AuditEvent | OwnEvent)[]; context: EventContext }) {
  const id = useId();
  return (
    <section class="events__day" aria-labelledby={id}>
      <h2 class="events__heading" id={id}>
        {events[0] && dayName(events[0].at)}
      </h2>
      <ul>
        {events.map((event) => (
          <EventRow key={event.id} event={event} context={context} />
        ))}
      </ul>
    </section>
  );
}
