import type { AuditEvent } from 'latchkey/client';
import { ChevronRight } from 'lucide-static';
import { formatExact } from '../dates.ts';
import { deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { Badge } from '../ui/badge.tsx';
import { Time } from '../ui/time.tsx';
import { sentenceOf } from './sentence.ts';

interface EventRowProps {
  event: AuditEvent;
  organizationName: (id: string) => string | undefined;
}

/** An event as a sentence. The user can open it to see all fields. */
export const EventRow = ({ event, organizationName }: EventRowProps) => (
  <li class="row row--event">
    <details class="event">
      <summary class="event__summary">
        <Icon of={ChevronRight} />
        <span class="event__sentence">
          {sentenceOf(event, organizationName).map(({ text, isName }, index) =>
            isName ? (
              <strong key={index} dir="auto">
                {text}
              </strong>
            ) : (
              text
            ),
          )}
          {event.outcome === 'failure' && (
            <>
              {' '}
              <Badge tone="danger">Refused</Badge>
            </>
          )}
        </span>
        <span class="event__time">
          <Time at={event.at} relative />
        </span>
      </summary>
      <dl class="event__facts">
        {factsOf(event, organizationName).map(([term, value]) => (
          <div class="event__fact" key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  </li>
);

function factsOf(
  audited: AuditEvent,
  organizationName: EventRowProps['organizationName'],
): [string, string][] {
  const {
    id,
    at,
    event,
    outcome,
    actor,
    impersonator,
    target,
    organizationId,
    ip,
    userAgent,
    requestId,
    details,
  } = audited;
  const facts: [string, string | null][] = [
    ['Event', `${event}, ${outcome}`],
    ['Time', `${formatExact(at)} (${at})`],
    ['Actor', [actor.type, actor.name, actor.id].filter(Boolean).join(' ')],
    [
      'Impersonator',
      impersonator && [impersonator.type, impersonator.name, impersonator.id].filter(Boolean).join(' '),
    ],
    ['Target', target && [target.type, target.name, target.id].filter(Boolean).join(' ')],
    ['Organization', organizationId && `${organizationName(organizationId) ?? ''} ${organizationId}`.trim()],
    ['IP address', ip],
    ['Browser', userAgent && `${deviceName(userAgent).name} (${userAgent})`],
    ...Object.entries(details).map(([term, value]): [string, string] => [
      `details.${term}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ['Request id', requestId],
    ['Event id', id],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
