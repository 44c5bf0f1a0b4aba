import { openSchema } from 'latchkey';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from 'latchkey/testing';
import postgres from 'postgres';
import { newBrowser } from '../driver/browser.ts';
import { openConnection } from '../driver/http-connection.ts';
import { latchkey as profile } from '../driver/profiles/latchkey.ts';
import { serveDatabase } from '../support/service.ts';
import { latchkey } from '../throughput/contenders.ts';
import { origin } from '../throughput/identity.ts';
import { commonName } from './identity.ts';
import { peopleInOrganization, seed } from './seed.ts';

/** A service with this many users, and the values for its queries. */
export interface Place {
  people: number;
  port: number;
  /** An authenticator that can sign in as every seeded user. */
  authenticator: SoftwareAuthenticator;
  /** The name of the session cookie. */
  cookieName: string;
  known: Known;
  seededInSeconds: number;
  stop(): Promise<void>;
}

/** Values for the queries. Each cursor is in the middle of a list. */
interface Known {
  ruler: string;
  person: string;
  organization: string;
  eventCursor: string;
  userCursor: string;
  commonNameCursor: string;
  invitationCursor: string;
}

/** The number of a user who is an organization admin. */
export const admin = 3 * peopleInOrganization;

/** Creates a database and starts a service on this database. @param serverUrl the URL of a PostgreSQL server */
export async function settle(serverUrl: string, people: number): Promise<Place> {
  const url = await createDatabase(serverUrl, `growth_${people}`);
  const service = await serveDatabase(url, { ...latchkey.env, NODE_ENV: 'production' });
  const port = Number(new URL(service.url).port);
  const connection = await openConnection(port);
  const authenticator = createSoftwareAuthenticator({ origin });
  const browser = newBrowser(connection);
  await profile.signUp(browser, authenticator, 'ruler');
  connection.close();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`update latchkey.users set role = 'superadmin'`;
  const [passkey] = await sql<{ public_key: string }[]>`select public_key from latchkey.passkeys`;
  const began = performance.now();
  await seed(sql, people, `${passkey?.public_key}`);
  const seededInSeconds = (performance.now() - began) / 1000;
  const cookieName = [...browser.cookies.keys()].find((name) => name.endsWith('latchkey')) ?? '';
  const known = { ...(await readKnown(sql, people)), ruler: browser.cookies.get(cookieName) ?? '' };
  await sql.end();
  const { stop } = service;
  return { people, port, authenticator, cookieName, known, seededInSeconds, stop };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const sql = postgres(serverUrl, { max: 1 });
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const schema = openSchema(url.href);
  await schema.migrate();
  await schema.close();
  return url.href;
}

async function readKnown(sql: postgres.Sql, people: number): Promise<Omit<Known, 'ruler'>> {
  const [row] = await sql<Record<string, string>[]>`
    select (select id from public.person where n = ${admin + 1}) as person,
      (select id from public.circle where circle = ${admin / peopleInOrganization}) as organization,
      (select id from latchkey.audit_events order by at, id offset ${people * 5} limit 1) as event,
      (select username from latchkey.users order by username offset ${people / 2} limit 1) as user,
      (select username from latchkey.users where username like ${`${commonName}%`}
       order by username offset ${people / 10} limit 1) as named,
      (select id from latchkey.invitations
       order by id offset (select count(*) from latchkey.invitations) / 2 limit 1) as invitation`;
  if (!row) throw new Error('Seeding created no users.');
  const cursorOf = (name: string) => Buffer.from(`${row[name]}`).toString('base64url');
  return {
    person: `${row.person}`,
    organization: `${row.organization}`,
    eventCursor: cursorOf('event'),
    userCursor: cursorOf('user'),
    commonNameCursor: cursorOf('named'),
    invitationCursor: cursorOf('invitation'),
  };
}
