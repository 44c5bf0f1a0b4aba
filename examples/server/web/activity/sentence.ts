import type { AuditEvent, OwnEvent } from 'latchkey/client';
import { format, type Key, t } from '../messages/text.ts';
import { phrasesOf } from './event-phrases.ts';

/** A piece of a sentence. Names are emphasized. */
export interface Piece {
  text: string;
  isName: boolean;
}

/** The user who reads the events of their own account: "You signed in". */
export interface Reader {
  id: string;
  username: string;
}

type Described = AuditEvent | OwnEvent;

const name = (text: string): Piece[] => [{ text, isName: true }];

/** Formats a message as pieces. Its values can be names or the pieces of other messages. */
const sentence = (key: Key, values?: object): Piece[] =>
  [format<Piece[]>(key, values)]
    .flat(2)
    .map((part) => (typeof part === 'string' ? { text: part, isName: false } : part))
    .filter(({ text }) => text !== '');

/**
 * Describes an event in a sentence, such as "ada invited bob to be an admin".
 *
 * @param organizationName returns an organization's name, if known
 * @param reader the user who reads the sentence about their own account; absent: the reader is an administrator
 */
export function sentenceOf(
  event: Described,
  organizationName: (id: string) => string | undefined,
  reader?: Reader,
): Piece[] {
  const [done, tried] = phrasesOf(event.event);
  const organization = event.organizationId === null ? undefined : organizationName(event.organizationId);
  const values = {
    ...actorOf(event, reader),
    ...targetOf(event, reader),
    place: organization === undefined ? 'unknown' : 'named',
    organization: name(organization ?? ''),
    role: `${event.details.to ?? event.details.role ?? 'unknown'}`,
    event: event.event,
  };
  return sentence(event.outcome === 'success' ? done : tried, values);
}

export const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join('');

/** The subject of the sentence. `actorForm` selects the form of the message: "You changed your profile", "ada changed their profile". */
function actorOf(
  { actor, impersonator }: Described,
  reader?: Reader,
): { actor: Piece[]; actorForm: 'you' | 'other' } {
  const isReader = reader !== undefined && actor.id === reader.id;
  if (isReader && (impersonator === null || impersonator.id === reader.id))
    return { actor: [], actorForm: 'you' };
  if (isReader && impersonator !== null)
    return {
      actor: sentence('events.asYou', { impersonator: impersonatorOf(impersonator) }),
      actorForm: 'other',
    };
  const own = actorName(actor, reader);
  if (impersonator === null) return { actor: own, actorForm: 'other' };
  const values = { actor: own, impersonator: impersonatorOf(impersonator) };
  return { actor: sentence('events.impersonated', values), actorForm: 'other' };
}

function actorName(actor: Described['actor'], reader?: Reader): Piece[] {
  switch (actor.type) {
    case 'user':
      if (actor.name !== null) return name(actor.name);
      return sentence(reader ? 'events.anotherUser' : 'events.aDeletedUser');
    case 'operator':
      return operatorName(actor.name);
    case 'system':
      return sentence('events.theService');
    default:
      // One event can stand for refused requests of several visitors.
      return sentence('events.someone');
  }
}

const operatorName = (given: string | null): Piece[] =>
  given === null ? sentence('events.anOperator') : name(t('events.operator', { name: given }));

function impersonatorOf(by: NonNullable<Described['impersonator']>): Piece[] {
  if (by.type === 'operator') return operatorName(by.name);
  return by.name === null ? sentence('events.anotherUser') : name(by.name);
}

/** The object of the sentence. `targetForm` selects the form of the message: "signed in", "tried to sign in as bob". */
function targetOf(
  { event, actor, target }: Described,
  reader?: Reader,
): { target: Piece[]; targetForm: 'you' | 'same' | 'anyone' | 'unknown' | 'named' } {
  const unknown = { target: [] as Piece[], targetForm: 'unknown' as const };
  // If a request is refused before the member or the invited user is known, the target is the organization.
  const isAboutMember = /^(member|organization_invitation)\./.test(event);
  if (isAboutMember && (target === null || target.type === 'organization')) return unknown;
  const anyone = event.startsWith('invitation.') || target?.type === 'invitation';
  const unnamed = anyone && !reader ? { ...unknown, targetForm: 'anyone' as const } : unknown;
  if (target === null) return unnamed;
  // The target of these events is a passkey. Its name can be the same as a username.
  const namesUser = target.type !== 'organization' && !/^passkey\.(add|rename|remove)$/.test(event);
  const isReader =
    reader !== undefined && (target.id === reader.id || (namesUser && target.name === reader.username));
  if (isReader && actor.id === reader.id) return { target: name(target.name ?? ''), targetForm: 'same' };
  if (isReader) return { target: [], targetForm: 'you' };
  if (target.name === null) return unnamed;
  return {
    target: name(target.name),
    targetForm: namesUser && target.name === actor.name ? 'same' : 'named',
  };
}
