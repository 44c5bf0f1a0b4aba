import type { AuditEvent, Organization, OwnEvent } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { LoadFailed } from '../components/load-failed.tsx';
import { CardSection } from '../ui/card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Resource } from '../use-resource.ts';
import { EventLine } from './event-line.tsx';
import type { Reader } from './sentence.ts';

interface EventsCardProps {
  title: string;
  /** The link to all events. */
  viewAll: ComponentChildren;
  loadingLabel: string;
  /** Shown if there are no events. */
  empty: string;
  resource: Resource<{ events: readonly (AuditEvent | OwnEvent)[] }>;
  reload: () => Promise<void>;
  /** For the names in the sentences. */
  organizations: readonly Organization[];
  /** The user who reads the events of their own account. Absent: an administrator. */
  reader?: Reader;
}

/** A card with the latest events. */
export function EventsCard(props: EventsCardProps) {
  const { title, viewAll, loadingLabel, empty, resource, reload, organizations, reader } = props;
  const organizationName = (wanted: string) => organizations.find(({ id }) => id === wanted)?.name;
  return (
    <CardSection title={title} action={viewAll}>
      {resource.status === 'loading' && <Skeleton rows={5} label={loadingLabel} />}
      {resource.status === 'failed' && (
        <div class="card__body">
          <LoadFailed error={resource.error} retry={reload} />
        </div>
      )}
      {resource.status === 'ready' && resource.value.events.length === 0 && (
        <p class="card__body card__note">{empty}</p>
      )}
      {resource.status === 'ready' && resource.value.events.length > 0 && (
        <ul>
          {resource.value.events.map((event) => (
            <EventLine
              key={event.id}
              event={event}
              context={{ organizationName, ...(reader && { reader }) }}
            />
          ))}
        </ul>
      )}
    </CardSection>
  );
}
