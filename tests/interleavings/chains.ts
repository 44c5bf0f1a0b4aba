import { inTurn, type Operation, request } from './support/operation.ts';
import type { Actor, World } from './support/world.ts';

/** Two operations. The second one uses a token that the first one returned. */
export type Chain = [Operation, Operation];

interface Body {
  token?: string;
  invitation?: { id: string };
  codes?: string[];
}

/** Every chain. The campaign runs each chain together with each operation. */
export function chainsOf({ actors, here, service }: World): Chain[] {
  const { sue, sam, adm, eve, bob, usr, kim } = actors;
  const anyone = service.browser();
  const by = (name: string, { browser }: Pick<Actor, 'browser'>, target: string, body?: object) =>
    request(name, browser, target, body);
  const chain = (first: Operation, then: (body: Body) => Operation): Chain =>
    inTurn(first, (body) => then((body ?? {}) as Body));
  const organization = `/auth/organizations/${here.id}`;
  const link = (name: string, { token = 'none' }: Body) =>
    request(name, anyone, 'POST /auth/recovery/assisted/use', { token });

  return [
    chain(
      by('sue creates an admin invitation', sue, 'POST /auth/admin/invitations', {}),
      ({ token = 'none' }) =>
        by('usr accepts that invitation', usr, 'POST /auth/admin/invitations/accept', { token }),
    ),
    chain(by('sam creates a link for kim', sam, `POST /auth/admin/users/${kim.id}/recovery`), (body) =>
      link('kim uses that link', body),
    ),
    chain(by('adm creates a link for usr', adm, `POST /auth/admin/users/${usr.id}/recovery`), (body) =>
      link('usr uses that link', body),
    ),
    chain(
      by('bob creates a link to here', bob, `POST ${organization}/invitations`, {}),
      ({ token = 'none' }) => by('eve joins by that link', eve, 'POST /auth/invitations/accept', { token }),
    ),
    chain(
      by('bob invites eve to here', bob, `POST ${organization}/invitations`, { username: 'eve' }),
      ({ invitation }) =>
        by('eve accepts that invitation', eve, `POST /auth/invitations/${invitation?.id ?? here.id}/accept`),
    ),
    chain(by('usr replaces the codes', usr, 'POST /auth/recovery/codes/generate'), ({ codes }) =>
      request('usr uses a new code', anyone, 'POST /auth/recovery/codes/use', {
        username: 'usr',
        code: codes?.[0] ?? 'none',
      }),
    ),
  ];
}
