import type { AuditEvent, OwnEvent } from 'latchkey/client';
import {
  Ban,
  Building2,
  Link2,
  LogOut,
  Mail,
  RectangleEllipsis,
  ScrollText,
  Ticket,
  UserRound,
  UserRoundKey,
} from 'lucide-static';
import type { ComponentChild } from 'preact';
import { type Piece, sentenceOf } from '../activity/sentence.ts';
import { deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { Time } from '../ui/time.tsx';

interface EventLineProps {
  event: OwnEvent;
  organizationName: (id: string) => string | undefined;
}

/** An event as a row of a card: a sentence, the device and the address, and the time. */
export function EventLine({ event, organizationName }: EventLineProps) {
  const pieces = sentenceOf(event as AuditEvent, organizationName);
  return (
    <li class="row event-line">
      <span class={`row__icon tile tile--${toneOf(event)}`}>
        <Icon of={iconOf(event)} />
      </span>
      <div class="row__text">
        <p>
          {pieces.map((piece, index) => (
            <Words key={index} piece={piece} />
          ))}
        </p>
        <p class="row__meta row__facts">
          {event.userAgent && <span>{deviceName(event.userAgent).name}</span>}
          {event.ip && <bdi>{event.ip}</bdi>}
        </p>
      </div>
      <span class="row__time">
        <Time at={event.at} relative />
      </span>
    </li>
  );
}

const Words = ({ piece: { text, isName } }: { piece: Piece }): ComponentChild =>
  isName ? (
    <strong>
      <bdi>{text}</bdi>
    </strong>
  ) : (
    text
  );

const icons: Record<string, string> = {
  account: UserRound,
  passkey: UserRoundKey,
  password: RectangleEllipsis,
  recovery_code: Ticket,
  recovery_link: Link2,
  recovery: UserRoundKey,
  session: LogOut,
  invitation: Mail,
  organization: Building2,
  organization_invitation: Mail,
  member: Building2,
  user: UserRound,
};

const nounOf = ({ event }: OwnEvent): string => event.split('.')[0] ?? '';

const iconOf = (event: OwnEvent): string =>
  event.outcome === 'failure' ? Ban : (icons[nounOf(event)] ?? ScrollText);

/** Green: a sign-in. Brass: another way into the account. Red: refused. */
function toneOf(event: OwnEvent): 'green' | 'brass' | 'red' | 'plain' {
  if (event.outcome === 'failure') return 'red';
  if (event.event === 'passkey.login' || event.event === 'password.login') return 'green';
  return ['recovery', 'recovery_code', 'recovery_link', 'impersonation'].includes(nounOf(event))
    ? 'brass'
    : 'plain';
}
