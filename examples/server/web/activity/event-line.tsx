import type { AuditEvent, OwnEvent } from 'latchkey/client';
import { deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { Time } from '../ui/time.tsx';
import type { EventContext } from './event-context.ts';
import { iconOf, toneOf } from './event-icon.ts';
import { sentenceOf } from './sentence.ts';

interface EventLineProps {
  event: AuditEvent | OwnEvent;
  context: EventContext;
}

/** An event as a row of a card: a sentence, the device and the address, and the time. */
export const EventLine = ({ event, context }: EventLineProps) => (
  <li class="row event-line">
    <span class={`row__icon tile--${toneOf(event)}`}>
      <Icon of={iconOf(event)} />
    </span>
    <div class="row__text">
      <p>
        {sentenceOf(event, context.organizationName, context.reader).map(({ text, isName }, index) =>
          isName ? (
            <strong key={index}>
              <bdi>{text}</bdi>
            </strong>
          ) : (
            text
          ),
        )}
      </p>
      <p class="row__meta row__facts">
        {event.userAgent && <span>{deviceName(event.userAgent).name}</span>}
        {event.ip && (
          <span>
            <bdi>{event.ip}</bdi>
          </span>
        )}
      </p>
    </div>
    <span class="row__time">
      <Time at={event.at} relative />
    </span>
  </li>
);
