import { expectStatus, newBrowser, requestOf } from '../driver/browser.ts';
import type { HttpConnection } from '../driver/http-connection.ts';
import type { Answer } from '../driver/read-answer.ts';
import {
  commonName,
  credentialIdOf,
  rareName,
  type SessionState,
  tokenOf,
  userHandleOf,
  usernameOf,
} from './identity.ts';
import { admin, type Place } from './place.ts';

export interface ConnectedPlace extends Place {
  connection: HttpConnection;
}

/** One or more requests to a service. */
export interface Scenario {
  name: string;
  /** The highest allowed ratio of the median with the most users to the median with the fewest. */
  most: number;
  /** Returns milliseconds and the number of items on the page. @param turn counts up from 0 */
  measure(place: ConnectedPlace, turn: number): Promise<{ ms: number; shown?: number }>;
}

const [flat, nearlyFlat] = [1.15, 1.3];

export const scenarios: readonly Scenario[] = [
  check('session check, from the cache', '/me', () => 1, 'in use'),
  check('session check, from the database', '/me', spreadUser, 'in use'),
  check('session check that updates the last use', '/me', spreadUser, 'at rest'),
  check('role-guarded check', '/user', spreadUser, 'in use'),
  logIn('login, with a username', 'whole'),
  logIn('login, only the verification', 'verify'),
  ...[
    page('audit log', 'ruler', '/audit'),
    page('audit log, in the middle', 'ruler', '/audit?cursor={eventCursor}'),
    page('audit log, by actor', 'ruler', '/audit?actor={person}'),
    page('audit log, by target', 'ruler', '/audit?target={person}'),
    page('audit log, by a common event', 'ruler', '/audit?event=passkey.login'),
    page('audit log, by a rare event', 'ruler', '/audit?event=user.disable'),
    page('audit log, by a rare prefix, in the middle', 'ruler', '/audit?event=user.&cursor={eventCursor}'),
    page('audit log, by outcome', 'ruler', '/audit?outcome=failure'),
    page('audit log, by organization', 'ruler', '/audit?organization={organization}'),
    page('audit log, an admin’s', 'admin', '/audit'),
    page('audit log, an admin’s, in the middle', 'admin', '/audit?cursor={eventCursor}'),
    page('audit log, an admin’s, by actor', 'admin', '/audit?actor={person}'),
    page('audit log, an admin’s, by organization', 'admin', '/audit?organization={organization}'),
    page('audit log, an admin’s, by a common event', 'admin', '/audit?event=member.add'),
    page('audit log, an admin’s, by a rare event', 'admin', '/audit?limit=5&event=user.disable'),
    page('audit log, an admin’s, by outcome', 'admin', '/audit?outcome=failure'),
    page('users', 'ruler', '/users'),
    page('users, in the middle', 'ruler', '/users?cursor={userCursor}'),
    page('users, an admin’s', 'admin', '/users'),
    page('users with a rare name', 'ruler', `/users?query=${rareName}`),
    page('users with a common name', 'ruler', `/users?query=${commonName}`),
    page(
      'users with a common name, in the middle',
      'ruler',
      `/users?query=${commonName}&cursor={commonNameCursor}`,
    ),
    page('users with an unknown name', 'ruler', '/users?query=xyz'),
    page('users with a common name, an admin’s', 'admin', `/users?query=${commonName}`),
    page('invitations', 'ruler', '/invitations?limit=20'),
    page('invitations, in the middle', 'ruler', '/invitations?limit=20&cursor={invitationCursor}'),
    page('invitations, pending', 'ruler', '/invitations?limit=20&status=pending'),
  ],
];

/** Spreads the turns over the users in the table. Repeats a user only after it has returned every user once. */
function spreadUser({ people }: Place, turn: number): number {
  return (turn * 618_033) % people;
}

function check(
  name: string,
  path: string,
  whose: (place: Place, turn: number) => number,
  state: SessionState,
): Scenario {
  return {
    name,
    most: flat,
    measure: async (place, turn) => ask(place, path, tokenOf(whose(place, turn), state)),
  };
}

/** A login without an earlier session. The time does not include signing. */
function logIn(name: string, part: 'whole' | 'verify'): Scenario {
  return {
    name,
    most: flat,
    async measure(place, turn) {
      const { authenticator, connection } = place;
      const person = spreadUser(place, turn);
      const browser = newBrowser(connection);
      const username = part === 'whole' ? { username: usernameOf(person) } : {};
      const begun = performance.now();
      const { options } = await browser.ask('POST', '/auth/passkey/login/start', username, 200);
      const startMs = performance.now() - begun;
      const credential = await authenticator.get(options, {
        credential: `${authenticator.credentials[0]?.id}`,
        id: credentialIdOf(person),
        userHandle: userHandleOf(person),
      });
      const went = performance.now();
      await browser.ask('POST', '/auth/passkey/login/verify', { credential }, 200);
      const verifyMs = performance.now() - went;
      return { ms: part === 'whole' ? startMs + verifyMs : verifyMs };
    },
  };
}

/** @param query can contain placeholders for the values of `Place.known` */
function page(name: string, as: 'ruler' | 'admin', query: string): Scenario {
  return {
    name,
    most: nearlyFlat,
    async measure(place) {
      const token = as === 'ruler' ? place.known.ruler : tokenOf(admin, 'in use');
      const path = query.replace(/\{(\w+)\}/g, (_, known: keyof Place['known']) => place.known[known]);
      const { ms, answer } = await ask(place, `/auth/admin${path}`, token);
      const [items] = Object.values(JSON.parse(answer.body.toString()));
      return { ms, shown: (items as unknown[]).length };
    },
  };
}

async function ask(
  { connection, cookieName }: ConnectedPlace,
  path: string,
  token: string,
): Promise<{ ms: number; answer: Answer }> {
  const request = requestOf('GET', path, new Map([[cookieName, token]]));
  const begun = performance.now();
  const answer = await connection.ask(request);
  const ms = performance.now() - begun;
  expectStatus(answer, 200, path);
  return { ms, answer };
}
