import type { AuditEvent } from 'latchkey/client';
import { deeds } from './deeds.ts';

/** A piece of a sentence; names stand out. */
export interface Piece {
  text: string;
  isName: boolean;
}

const name = (text: string): Piece => ({ text, isName: true });
const plain = (text: string): Piece => ({ text, isName: false });

/**
 * What happened, as one would tell it: "ada invited bob to be an administrator".
 *
 * @param organizationName what an organization is called, where one knows
 */
export function sentenceOf(event: AuditEvent, organizationName: (id: string) => string | undefined): Piece[] {
  const [done, wanted] = deeds[event.event] ?? [`caused ${event.event}`, `cause ${event.event}`];
  const deed = event.outcome === 'success' ? done : `tried to ${wanted}`;
  const pieces = deed
    .split(/(\{\w+\})/)
    .flatMap((part) => fillers[part]?.(event, organizationName) ?? plain(part));
  return [actorOf(event), plain(' '), ...pieces].filter(({ text }) => text !== '');
}

export const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join('');

function actorOf({ actor }: AuditEvent): Piece {
  switch (actor.type) {
    case 'user':
      return actor.name === null ? plain('Somebody who is gone') : name(actor.name);
    case 'operator':
      return name(`${actor.name ?? 'Somebody'} (operator)`);
    case 'system':
      return plain('The service');
    default:
      return plain('Somebody');
  }
}

type Filler = (event: AuditEvent, organizationName: (id: string) => string | undefined) => Piece | Piece[];

const fillers: Record<string, Filler> = {
  '{target}': ({ event, target }) => {
    // A member who is refused at the door is about the organization: whom they meant was not looked at.
    const isMeant = target?.type === 'user' || !event.startsWith('member.');
    return target?.name && isMeant
      ? name(target.name)
      : plain((isMeant && nouns[`${target?.type}`]) || 'somebody');
  },
  '{invitee}': ({ target }) => {
    // A refusal can happen before the invited user is known.
    if (target?.type === 'organization') return plain('a user');
    return target?.name ? name(target.name) : plain('anyone with the link');
  },
  '{as}': ({ target, actor }) =>
    target?.name && target.name !== actor.name ? [plain(' as '), name(target.name)] : [],
  '{role}': ({ details }) => plain(roles[`${details.to}`] ?? 'something else'),
  '{memberRole}': ({ details }) => plain(details.to === 'admin' ? 'an admin' : 'a plain member'),
  '{organization}': ({ organizationId }, organizationName) => {
    const known = organizationId === null ? undefined : organizationName(organizationId);
    return known === undefined ? plain('an organization') : name(known);
  },
};

const nouns: Record<string, string> = {
  passkey: 'a passkey',
  session: 'a device',
  organization: 'an organization',
  invitation: 'an invitation',
};

const roles: Record<string, string> = {
  user: 'a plain user',
  admin: 'an administrator',
  superadmin: 'a superadministrator',
};
