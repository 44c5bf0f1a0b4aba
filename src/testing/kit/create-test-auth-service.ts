import { randomBytes } from 'node:crypto';
import Koa from 'koa';
import { createAuthRouter } from '../../api/router.ts';
import { isProduction } from '../../core/config.ts';
import { consoleLogger } from '../../core/console-logger.ts';
import type { Logger } from '../../core/logger.ts';
import type { Role } from '../../core/user.ts';
import { adapterFor, type DatabaseSource } from '../../db/adapter.ts';
import type { Database } from '../../db/database.ts';
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
 * A service for the tests of an application: in memory (the optional peer `pg-mem`), on a clock that stands until it
 * is turned, and with people who are signed in. It is configured for http://localhost:3000 whatever the environment
 * says, with a secret of its own, cheap passwords, no rate limits, and errors alone in the log; options change that.
 *
 * What a database in memory cannot do, `createInMemoryDatabase` tells: no races, above all. The tests that need it run
 * on a real PostgreSQL, which `database` names.
 *
 * @throws Error where `pg-mem` is not installed and no `database` is given
 * @throws whatever `createAuthService` and `app` throw
 * @example
 * const { signedInAs, clock, close } = await createTestAuthService({ app: createApp });
 * const ada = await signedInAs('superadmin');
 * expect((await ada.get('/reports')).status).toBe(200);
 * clock.advance({ minutes: 11 });
 * expect((await ada.post('/payout')).status).toBe(403);
 * await ada.stepUp();
 * await close();
 */
export async function createTestAuthService<const Extra extends string = never>(
  options: TestAuthServiceOptions<Extra> = {},
): Promise<TestAuthService<Extra>> {
  const { app, database, ...settings } = options;
  const clock = createTestClock();
  const auth = await createAuthService<Extra>({
    ...withDefaults(settings),
    database: databaseFor(database, clock),
    migrate: true,
    clock: clock.now,
  });
  const [origin] = auth.config.origins;

  // People sign in here, wherever the app under test has the endpoints, and whether it has them or not.
  const entrance = serveLazily(() => new Koa().use(createAuthRouter(auth).routes()));
  let underTest = entrance;
  const close = async () => {
    await Promise.all([underTest.close(), entrance.close()]);
    await auth.close();
  };
  try {
    if (app) underTest = await served(app(auth, clock));
  } catch (error) {
    await close();
    throw error;
  }

  async function newPerson(role: Role, username: string, jar = createCookieJar(clock.now)): Promise<Person> {
    const person = await signUp(createTestAgent(entrance, origin, jar), origin, username);
    if (role === 'user') return person;
    return { ...person, user: await auth.asOperator('latchkey/testing').users.changeRole(username, role) };
  }
  const organizations = organizationsBy(() => newPerson('admin', `founder-${unique()}`), clock);

  return {
    auth,
    clock,
    async signedInAs(role, { username = `${role}-${unique()}`, memberOf = [], adminOf = [] } = {}) {
      if (!roles.includes(role))
        throw new TypeError(`role: expected one of ${roles.join(', ')}, not ${role}`);
      const jar = createCookieJar(clock.now);
      const person = await newPerson(role, username, jar);
      for (const organization of memberOf) await organizations.admit(organization, person, 'user');
      for (const organization of adminOf) await organizations.admit(organization, person, 'admin');
      return Object.assign(createTestAgent(underTest, origin, jar), {
        user: person.user,
        authenticator: person.authenticator,
        signIn: () => signIn(person),
        stepUp: () => stepUp(person),
        signOut: () => signOut(person),
      });
    },
    visitor: () => createTestAgent(underTest, origin, createCookieJar(clock.now)),
    organization: (name = `Organization ${unique()}`) => organizations.found(name),
    close,
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

/** A test is to pass on every machine alike: what a developer's environment says is not even read. */
function withDefaults<Extra extends string>({
  env = {},
  secret = randomBytes(32).toString('base64url'),
  rateLimit = false,
  log = errorsAlone,
  ...settings
}: AuthServiceOptions<Extra>): AuthServiceOptions<Extra> {
  // The least that bcrypt takes, and the least that an https origin lets pass.
  const bcryptCost = settings.bcryptCost ?? (isProduction({ ...settings, env }) ? 10 : 4);
  return { ...settings, env, secret, rateLimit, log, bcryptCost };
}

/** Warnings are for whoever runs a service; refusals, which tests provoke, are among them. */
const errorsAlone: Logger = { ...consoleLogger, warn: () => {} };

function databaseFor(given: DatabaseSource | undefined, clock: TestClock): Database {
  return given === undefined
    ? createInMemoryDatabase(clock.now)
    : databaseOnClock(adapterFor(given), clock.now);
}
