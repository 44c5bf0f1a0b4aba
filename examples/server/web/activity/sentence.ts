import type { AuditEvent } from 'latchkey/client';
import { impersonatorName } from '../methods.ts';
import { eventPhrases } from './event-phrases.ts';

/** A piece of a sentence. Names are emphasized. */
export interface Piece {
  text: string;
  isName: boolean;
}

const name = (text: string): Piece => ({ text, isName: true });
const plain = (text: string): Piece => ({ text, isName: false });

/**
 * Describes an event in a sentence, such as "ada invited bob to be an admin".
 *
 * @param organizationName returns an organization's name, if known
 */
export function sentenceOf(event: AuditEvent, organizationName: (id: string) => string | undefined): Piece[] {
  const [done, attempted] = eventPhrases[event.event] ?? [`caused ${event.event}`, `cause ${event.event}`];
  const times = event.count === 1 ? '' : ` ${event.count} times`;
  const phrase = event.outcome === 'success' ? done : `tried to ${attempted}${times}`;
  const pieces = phrase
    .split(/(\{\w+\})/)
    .flatMap((part) => fillers[part]?.(event, organizationName) ?? plain(part));
  return [actorOf(event), ...impersonatorOf(event), plain(' '), ...pieces].filter(({ text }) => text !== '');
}

export const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join('');

function actorOf({ actor, count }: AuditEvent): Piece {
  switch (actor.type) {
    case 'user':
      return actor.name === null ? plain('A deleted user') : name(actor.name);
    case 'operator':
      return name(actor.name === null ? 'An operator' : `${actor.name} (operator)`);
    case 'system':
      return plain('The service');
    default:
      // A burst of refusals can come from several visitors.
      return plain(count === 1 ? 'An unknown visitor' : 'Unknown visitors');
  }
}

const impersonatorOf = ({ impersonator }: AuditEvent): Piece[] =>
  impersonator === null
    ? []
    : [plain(' (impersonated by '), name(impersonatorName(impersonator)), plain(')')];

type Filler = (event: AuditEvent, organizationName: (id: string) => string | undefined) => Piece | Piece[];

const fillers: Record<string, Filler> = {
  '{target}': ({ event, target }) => {
    // If a request is refused before the member is known, the target is the organization.
    const isKnown = target?.type === 'user' || !event.startsWith('member.');
    return target?.name && isKnown
      ? name(target.name)
      : plain((isKnown && nouns[`${target?.type}`]) || 'a user');
  },
  '{invitee}': ({ target }) => {
    // If a request is refused before the invited user is known, the target is the organization.
    if (target?.type === 'organization') return plain('a user');
    return target?.name ? name(target.name) : plain('anyone with the link');
  },
  '{purpose}': ({ details }) => plain(purposes[`${details.role}`] ?? ''),
  '{as}': ({ target, actor }) =>
    target?.name && target.name !== actor.name ? [plain(' as '), name(target.name)] : [],
  '{role}': ({ details }) => plain(roles[`${details.to}`] ?? 'another role'),
  '{memberRole}': ({ details }) => plain(details.to === 'admin' ? 'organization admin' : 'member'),
  '{organization}': ({ organizationId }, organizationName) => {
    const known = organizationId === null ? undefined : organizationName(organizationId);
    return known === undefined ? plain('an organization') : name(known);
  },
};

const nouns: Record<string, string> = {
  passkey: 'a passkey',
  session: 'a session',
  organization: 'an organization',
  invitation: 'an invitation',
};

/** What an invitation is for, by the role that it grants. */
const purposes: Record<string, string> = {
  user: ' to sign up',
  admin: ' to be an admin',
};

const roles: Record<string, string> = {
  user: 'user',
  admin: 'admin',
  superadmin: 'superadmin',
};
