import type { AuditEvent, OwnEvent } from 'latchkey/client';
import { ChevronRight } from 'lucide-static';
import { deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { Badge } from '../ui/badge.tsx';
import type { EventContext } from './event-context.ts';
import { EventDetails } from './event-details.tsx';
import { iconOf, toneOf } from './event-icon.ts';
import { reasonOf } from './reasons.ts';
import { sentenceOf } from './sentence.ts';
import { formatClock, formatSecond } from './times.ts';

interface EventRowProps {
  event: AuditEvent | OwnEvent;
  context: EventContext;
}

/** An event as a sentence, with the device, the address and the time. The user can open it to see all values. */
export const EventRow = ({ event, context }: EventRowProps) => (
  <li class="event-row">
    <details class="event">
      <summary class="event__summary">
        <span class={`row__icon tile--${toneOf(event)}`}>
          <Icon of={iconOf(event)} />
        </span>
        <span class="event__text">
          <span class="event__sentence">
            <EventSentence event={event} context={context} />
            {event.outcome === 'failure' && (
              <>
                {' '}
                <Badge tone="danger">
                  {event.count > 1
                    ? t('activity.refusedTimes', { count: event.count })
                    : t('activity.refused')}
                </Badge>
              </>
            )}
          </span>
          <span class="event__meta row__facts">
            {typeof event.details.reason === 'string' && <span>{reasonOf(event.details.reason)}</span>}
            {event.userAgent && <span>{deviceName(event.userAgent).name}</span>}
            {event.ip && (
              <span>
                <bdi>{event.ip}</bdi>
              </span>
            )}
          </span>
        </span>
        <time class="event__time" dateTime={event.at} title={formatSecond(event.at)}>
          {formatClock(event.at)}
        </time>
        <Icon of={ChevronRight} />
      </summary>
      <EventDetails event={event} context={context} />
    </details>
  </li>
);

const EventSentence = ({ event, context }: EventRowProps) => (
  <>
    {sentenceOf(event, context.organizationName, context.reader).map(({ text, isName }, index) =>
      isName ? (
        <strong key={index}>
          <bdi>{text}</bdi>
        </strong>
      ) : (
        text
      ),
    )}
  </>
);
