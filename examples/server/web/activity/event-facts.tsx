import type { AuditEvent, OwnEvent } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { formatMoment } from '../dates.ts';
import { deviceName } from '../device-name.ts';
import { type PlainKey, T, t } from '../messages/t.tsx';
import type { EventContext } from './event-context.ts';
import { reasonOf } from './reasons.ts';
import { formatSecond } from './times.ts';

type Described = AuditEvent | OwnEvent;

interface Fact {
  name: PlainKey;
  value: ComponentChildren;
}

/** The values of an event with their labels: the time, the actor, the target and so on. */
export function factsOf(event: Described, { organizationName, reader }: EventContext): Fact[] {
  const { at, actor, impersonator, target, organizationId, ip, userAgent, requestId } = event;
  const facts: (Fact | false | null)[] = [
    { name: 'activity.factTime', value: formatSecond(at) },
    { name: 'activity.factActor', value: <Party {...actor} isReader={actor.id === reader?.id} /> },
    impersonator && { name: 'activity.factImpersonator', value: <Party {...impersonator} /> },
    target && {
      name: 'activity.factTarget',
      value: <Party {...target} isReader={reader !== undefined && target.id === reader.id} />,
    },
    organizationId !== null && {
      name: 'activity.factOrganization',
      value: <bdi>{organizationName(organizationId) ?? organizationId}</bdi>,
    },
    ...detailFacts(event),
    userAgent !== null && {
      name: 'activity.factDevice',
      value: <span title={userAgent}>{deviceName(userAgent).name}</span>,
    },
    ip !== null && { name: 'activity.factAddress', value: <bdi>{ip}</bdi> },
    requestId !== null && { name: 'activity.factRequest', value: <code>{requestId}</code> },
  ];
  return facts.filter((fact): fact is Fact => Boolean(fact));
}

interface PartyProps {
  type: string;
  name: string | null;
  isReader?: boolean;
}

/** Shows a user, an operator or a resource, with its name and its type. */
function Party({ type, name, isReader = false }: PartyProps) {
  const kind = isReader ? t('activity.partyYou') : partyOf(type);
  if (name === null) return kind;
  return <T id="activity.party" values={{ name: <bdi>{name}</bdi>, kind }} />;
}

const parties: Record<string, PlainKey> = {
  user: 'activity.partyUser',
  operator: 'activity.partyOperator',
  anonymous: 'activity.partyAnonymous',
  system: 'activity.partySystem',
  passkey: 'activity.partyPasskey',
  session: 'activity.partySession',
  invitation: 'activity.partyInvitation',
  organization: 'activity.partyOrganization',
  webhook: 'activity.partyWebhook',
};

const partyOf = (type: string): string => {
  const key = parties[type];
  return key ? t(key) : type;
};

/** The event details that have a label. The raw event shows all details. */
const details: Record<string, PlainKey> = {
  statedReason: 'activity.factStatedReason',
  role: 'activity.factRole',
  from: 'activity.factBefore',
  to: 'activity.factAfter',
  changed: 'activity.factChanged',
  slug: 'activity.factSlug',
  total: 'activity.factCodes',
  keptPasskeys: 'activity.factKeptPasskeys',
  removedPasskeys: 'activity.factRemovedPasskeys',
};

function detailFacts({ details: given }: Described): Fact[] {
  const facts: Fact[] = [];
  for (const [name, value] of Object.entries(given)) {
    const key = details[name];
    if (key && value !== null) facts.push({ name: key, value: <bdi>{`${value}`}</bdi> });
  }
  const { reason, firstAt, lastAt, expiresInHours } = given;
  if (typeof reason === 'string') facts.push({ name: 'activity.factReason', value: reasonOf(reason) });
  if (typeof firstAt === 'string') facts.push({ name: 'activity.factFirst', value: formatMoment(firstAt) });
  if (typeof lastAt === 'string') facts.push({ name: 'activity.factLast', value: formatMoment(lastAt) });
  if (typeof expiresInHours === 'number')
    facts.push({ name: 'activity.factExpires', value: t('activity.hours', { count: expiresInHours }) });
  return facts;
}
