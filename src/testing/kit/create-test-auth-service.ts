import { randomBytes } from 'node:crypto';
import Koa from 'koa';
import { createAuthRouter } from '../../api/router.ts';
import { isProduction } from '../../core/config.ts';
import { consoleLogger } from '../../core/console-logger.ts';
import type { Database } from '../../core/database.ts';
import type { Logger } from '../../core/logger.ts';
import type { Role } from '../../core/user.ts';
import type { NoFields, UserFields } from '../../core/user-fields.ts';
import { adapterFor, type DatabaseSource } from '../../db/adapter.ts';
import { capabilities } from '../../roles/capabilities.ts';
import { type AuthServiceOptions, createAuthService } from '../../service/auth-service.ts';
import { createInMemoryDatabase } from '../in-memory-database.ts';
import { createCookieJar } from './cookie-jar.ts';
import { databaseOnClock } from './database-on-clock.ts';
import { organizationsBy } from './organizations.ts';
import { type Person, signIn, signOut, signUp, stepUp } from './person.ts';
import { type ServedApp, serveLazily, type TestableApp } from './served-app.ts';
import { createTestAgent } from './test-agent.ts';
import type { TestAuthService, TestAuthServiceOptions } from './test-auth-service.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

/**
 * Creates a service for the tests of an application. The service has a database in memory (the optional package
 * `pg-mem`), a clock that only the test advances, and functions that create signed-in users. Environment variables have
 * no effect.
 *
 * The defaults are: the origin http://localhost:3000, a random secret, fast password hashing, no rate limits, and a
 * logger that logs only errors. Options override these defaults.
 *
 * The documentation of `createInMemoryDatabase` lists what the database in memory does not support. If your tests need
 * an unsupported feature, set `database` to a real PostgreSQL.
 *
 * @throws Error if `pg-mem` is not installed and `database` is not given
 * @throws the errors of `createAuthService` and `app`
 * @example
 * const { signedInAs, clock, close } = await createTestAuthService({ app: createApp });
 * const ada = await signedInAs('superadmin');
 * expect((await ada.get('/reports')).status).toBe(200);
 * clock.advance({ minutes: 11 });
 * expect((await ada.post('/payout')).status).toBe(403);
 * await ada.stepUp();
 * await close();
 */
export async function createTestAuthService<
  const Extra extends string = never,
  const Fields extends UserFields = NoFields,
  const OfRoles extends string = never,
>(
  options: TestAuthServiceOptions<Extra, Fields, OfRoles> = {},
): Promise<TestAuthService<Extra | OfRoles, Fields>> {
  const { app, database, signUpFields, ...settings } = options;
  const clock = createTestClock();
  const usedDatabase = databaseFor(database, clock);
  const complete: AuthServiceOptions<Extra, Fields, OfRoles> = {
    ...withDefaults(settings),
    database: usedDatabase,
    migrate: true,
    clock: clock.now,
  };
  const auth = await createAuthService<Extra, Fields, OfRoles>(complete);
  const [origin] = auth.config.origins;
  const format = typeof options.usernames === 'object' ? options.usernames.format : options.usernames;
  const domain = format === 'email' ? '@example.com' : '';
  const newUsername = (beginning: string) => `${beginning}-${unique()}${domain}`;

  // Users sign in through a separate app, because the app under test may serve the endpoints at other URLs or not at
  // all.
  const authApp = serveLazily(() => new Koa().use(createAuthRouter(auth).routes()));
  const signUpApp = auth.config.signUpMode === 'closed' ? serveSignUps(complete, usedDatabase) : null;
  let appUnderTest = authApp;
  const close = async () => {
    await Promise.all([appUnderTest.close(), authApp.close(), signUpApp?.close()]);
    await auth.close();
  };
  try {
    if (app) appUnderTest = await served(app(auth, clock));
  } catch (error) {
    await close();
    throw error;
  }

  async function newPerson(role: Role, username: string, jar = createCookieJar(clock.now)): Promise<Person> {
    const agent = createTestAgent(authApp, origin, jar);
    const operator = auth.asOperator('latchkey/testing');
    const invitation =
      auth.config.signUpMode === 'invitation'
        ? (await operator.invitations.create({ role: 'user' })).token
        : undefined;
    const signingUp = signUpApp ? createTestAgent(signUpApp, origin, jar) : agent;
    const person = {
      ...(await signUp(signingUp, origin, { username, fields: signUpFields, invitation })),
      agent,
    };
    if (role === 'user') return person;
    return { ...person, user: await operator.users.changeRole(username, role) };
  }
  const organizations = organizationsBy(
    () => newPerson(auth.config.organizations?.createdBy ?? 'admin', newUsername('founder')),
    clock,
  );

  return {
    auth,
    clock,
    async signedInAs(role, { username = newUsername(role), memberOf = [], adminOf = [], roleIn = {} } = {}) {
      if (!roles.includes(role))
        throw new TypeError(`role: expected one of ${roles.join(', ')}, not ${role}`);
      const jar = createCookieJar(clock.now);
      const person = await newPerson(role, username, jar);
      for (const organization of memberOf) await organizations.admit(organization, person, 'user');
      for (const organization of adminOf) await organizations.admit(organization, person, 'admin');
      for (const [own, joined] of Object.entries(roleIn))
        for (const organization of joined) await organizations.admit(organization, person, own);
      return Object.assign(createTestAgent(appUnderTest, origin, jar), {
        user: person.user,
        authenticator: person.authenticator,
        signIn: () => signIn(person),
        stepUp: () => stepUp(person),
        signOut: () => signOut(person),
      });
    },
    visitor: () => createTestAgent(appUnderTest, origin, createCookieJar(clock.now)),
    organization: (name = `Organization ${unique()}`) => organizations.found(name),
    close,
  };
}

/**
 * Serves the endpoints of a second service on the same database, with the sign-up mode `open`. With the mode `closed`,
 * the test kit signs its users up there, because no user can sign up at the first service. The second service starts at
 * the first request.
 */
function serveSignUps<Extra extends string, Fields extends UserFields, OfRoles extends string>(
  options: AuthServiceOptions<Extra, Fields, OfRoles>,
  database: Database,
): ServedApp {
  // Without `close`, because the first service closes the database.
  const shared: Database = { query: (statement) => database.query(statement) };
  const signUp = { ...options.signUp, mode: 'open' } as const;
  const start = async () => {
    const auth = await createAuthService<Extra, Fields, OfRoles>({ ...options, signUp, database: shared });
    return { auth, app: serveLazily(() => new Koa().use(createAuthRouter(auth).routes())) };
  };
  let starting: ReturnType<typeof start> | undefined;
  let closed = false;
  return {
    async fetch(request) {
      if (closed) throw new Error('this test service is closed');
      starting ??= start();
      return (await starting).app.fetch(request);
    },
    async close() {
      closed = true;
      // `fetch` has reported the error of a failed start.
      const started = await starting?.catch(() => null);
      await started?.app.close();
      await started?.auth.close();
    },
  };
}

const roles = Object.keys(capabilities);

const unique = () => randomBytes(4).toString('hex');

async function served(made: TestableApp | Promise<TestableApp>): Promise<ServedApp> {
  const app: Partial<TestableApp> | undefined = await made;
  if (typeof app?.callback !== 'function')
    throw new TypeError('app: expected a function that returns a Koa app');
  return serveLazily(() => app as TestableApp);
}

/** Ignores environment variables, so that a test has the same result on every machine. */
function withDefaults<Extra extends string, Fields extends UserFields, OfRoles extends string>({
  env = {},
  secret = randomBytes(32).toString('base64url'),
  rateLimit = false,
  log = errorsOnly,
  ...settings
}: AuthServiceOptions<Extra, Fields, OfRoles>): AuthServiceOptions<Extra, Fields, OfRoles> {
  // The minimum of bcrypt is 4. The minimum in production mode is 10.
  const bcryptCost = settings.bcryptCost ?? (isProduction({ ...settings, env }) ? 10 : 4);
  return { ...settings, env, secret, rateLimit, log, bcryptCost };
}

/** Omits warnings. The service logs rejected requests as warnings, and tests cause such requests on purpose. */
const errorsOnly: Logger = { ...consoleLogger, warn: () => {} };

function databaseFor(given: DatabaseSource | undefined, clock: TestClock): Database {
  return given === undefined
    ? createInMemoryDatabase(clock.now)
    : databaseOnClock(adapterFor(given), clock.now);
}
