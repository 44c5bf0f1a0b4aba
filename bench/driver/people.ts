import { createSoftwareAuthenticator, type SoftwareAuthenticator } from 'latchkey/testing';
import { origin, usernameOf } from '../throughput/identity.ts';
import { type Cookies, newBrowser } from './browser.ts';
import { openConnection } from './http-connection.ts';
import type { Profile } from './profiles/profile.ts';

export interface Person {
  username: string;
  authenticator: SoftwareAuthenticator;
  /** The cookies of a valid session. */
  cookies: Cookies;
}

/** The number of users who also have a password. */
const withPassword = 8;

/** Signs up this many users. The first few get a password. */
export async function settle(profile: Profile, port: number, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, (_, index) => ({
    username: usernameOf(index),
    authenticator: createSoftwareAuthenticator({ origin }),
    cookies: new Map<string, string>(),
  }));
  await forEach(people, port, async (person, browser) => {
    await profile.signUp(browser, person.authenticator, person.username);
  });
  const few = people
    .slice(0, withPassword)
    .map((person) => ({ ...person, cookies: new Map(person.cookies) }));
  // One at a time, because each password takes a core for a quarter of a second.
  await forEach(few, port, async ({ username }, browser) => profile.addPassword?.(browser, username), 1);
  return people;
}

export const peopleWithPassword = (people: Person[]): Person[] => people.slice(0, withPassword);

/** Returns copies of the users, with sessions for another configuration. */
export async function refresh(profile: Profile, port: number, people: Person[]): Promise<Person[]> {
  const refreshed = people.map((person) => ({ ...person, cookies: new Map(person.cookies) }));
  await forEach(refreshed, port, async (_, browser) => profile.refresh?.(browser));
  return refreshed;
}

export interface Code {
  username: string;
  code: string;
}

/** Creates at least this many recovery codes. */
export async function makeCodes(profile: Profile, port: number, people: Person[], count: number) {
  const codes: Code[] = [];
  await forEach(people, port, async ({ username }, browser) => {
    if (codes.length >= count) return;
    const made = (await profile.makeRecoveryCodes?.(browser)) ?? [];
    codes.push(...made.map((code) => ({ username, code })));
  });
  return codes;
}

/** Distributes the users over a few connections. */
async function forEach(
  people: Person[],
  port: number,
  work: (person: Person, browser: ReturnType<typeof newBrowser>) => Promise<void>,
  connections = 8,
): Promise<void> {
  const left = people.values();
  const loop = async () => {
    const connection = await openConnection(port);
    for (const person of left) await work(person, newBrowser(connection, person.cookies));
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
}
