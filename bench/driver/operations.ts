import { randomBytes } from 'node:crypto';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import { origin } from '../throughput/identity.ts';
import type { Scenario } from '../throughput/scenarios.ts';
import { expectStatus, newBrowser, requestOf } from './browser.ts';
import type { HttpConnection } from './http-connection.ts';
import { type Code, type Person, peopleWithPassword } from './people.ts';
import type { Profile } from './profiles/profile.ts';

/** Runs one operation on a connection. Each call is for another user. Returns false if no recovery code is left. */
export type Operation = (connection: HttpConnection, turn: number) => Promise<boolean>;

/** Every status is checked, but only one body in this many, because checking a body takes time. */
const bodyEvery = 64;

export function operationOf(
  scenario: Scenario,
  profile: Profile,
  people: Person[],
  codes: Code[],
): Operation {
  switch (scenario) {
    case 'session check':
      return check('/me', profile, people);
    case 'role-guarded check':
      return check('/admin', profile, people);
    case 'login':
      return logIn(profile, people);
    case 'signup':
      return signUp(profile);
    case 'recovery use':
      return useCode(profile, codes);
    case 'password login':
      return logInWithPassword(profile, peopleWithPassword(people));
    case 'mixed':
      return mixed(profile, people);
  }
}

function check(path: string, profile: Profile, people: Person[]): Operation {
  const prepared = people.map(({ username, cookies }) => ({
    request: Buffer.from(requestOf('GET', path, cookies)),
    shown: profile.shows(username),
  }));
  return async (connection, turn) => {
    const { request, shown } = of(prepared, turn);
    const answer = await connection.ask(request);
    expectStatus(answer, 200, path);
    if (turn % bodyEvery === 0 && !answer.body.includes(shown))
      throw new Error(`${path} returned another user: ${answer.body}`);
    return true;
  };
}

/** Each user signs in from a browser without a session. */
function logIn(profile: Profile, people: Person[]): Operation {
  return async (connection, turn) => {
    await profile.logIn?.(newBrowser(connection), of(people, turn).authenticator);
    return true;
  };
}

let signedUp = 0;

function signUp(profile: Profile): Operation {
  const series = randomBytes(4).toString('hex');
  return async (connection) => {
    signedUp += 1;
    const authenticator = createSoftwareAuthenticator({ origin });
    await profile.signUp(newBrowser(connection), authenticator, `new-${series}-${signedUp}`);
    return true;
  };
}

function useCode(profile: Profile, codes: Code[]): Operation {
  return async (connection) => {
    const next = codes.pop();
    if (next) await profile.useRecoveryCode?.(newBrowser(connection), next.username, next.code);
    return next !== undefined;
  };
}

function logInWithPassword(profile: Profile, people: Person[]): Operation {
  return async (connection, turn) => {
    await profile.logInWithPassword?.(newBrowser(connection), of(people, turn).username);
    return true;
  };
}

/** A hundred operations are 94 session checks, 3 role-guarded checks, 2 logins and 1 sign-up, spread evenly. */
function mixed(profile: Profile, people: Person[]): Operation {
  const checkSession = check('/me', profile, people);
  const checkRole = check('/admin', profile, people);
  const [oneLogIn, oneSignUp] = [logIn(profile, people), signUp(profile)];
  return (connection, turn) => {
    const place = (turn * 37) % 100;
    if (place < 94) return checkSession(connection, turn);
    if (place < 97) return checkRole(connection, turn);
    return place < 99 ? oneLogIn(connection, turn) : oneSignUp(connection, turn);
  };
}

const of = <T>(list: T[], turn: number): T => list[turn % list.length] as T;
