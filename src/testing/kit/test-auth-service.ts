import type { Role, User } from '../../core/user.ts';
import type { DatabaseSource } from '../../db/adapter.ts';
import type { AuthServiceOptions } from '../../service/auth-service.ts';
import type { AuthService } from '../../service/types.ts';
import type { SoftwareAuthenticator } from '../authenticator/software-authenticator.ts';
import type { TestOrganization } from './organizations.ts';
import type { TestableApp } from './served-app.ts';
import type { TestAgent } from './test-agent.ts';
import type { TestClock } from './test-clock.ts';

/** Options of `createTestAuthService`: the options of `createAuthService`, and the app under test. */
export interface TestAuthServiceOptions<Extra extends string = never>
  extends Omit<AuthServiceOptions<Extra>, 'migrate' | 'clock' | 'database'> {
  /**
   * Creates the app that receives the agents' requests. Default: an app with only the service's endpoints.
   *
   * @example (auth, clock) => createApp(auth, { now: clock.now })
   */
  app?: (auth: AuthService<NoInfer<Extra>>, clock: TestClock) => TestableApp | Promise<TestableApp>;
  /**
   * A real PostgreSQL for the tests, as in `createAuthService`. It is migrated and keeps the data of the tests. A given
   * client or pool is not closed. Default: a database in memory.
   */
  database?: DatabaseSource | undefined;
}

/** The user that `signedInAs` creates. */
export interface TestPerson {
  /** Default: a unique username. */
  username?: string;
  /** Organizations from `organization()` to join as a member. The user is invited and accepts. */
  memberOf?: readonly Pick<TestOrganization, 'id'>[];
  /** Organizations from `organization()` to join as an admin. */
  adminOf?: readonly Pick<TestOrganization, 'id'>[];
}

/** The browser of a signed-in user. Its methods work wherever the app mounts the service's endpoints. */
export interface SignedInAgent extends TestAgent {
  /** The user at the time of creation. */
  readonly user: User;
  /** The authenticator with the user's passkey. */
  readonly authenticator: SoftwareAuthenticator;
  /**
   * Signs in again with the passkey, for example after `signOut` or after the session expired.
   *
   * @throws Error if the service rejects it
   */
  signIn(): Promise<void>;
  /**
   * Runs a step-up with the passkey, so that the session is fresh again.
   *
   * @throws Error without a session
   */
  stepUp(): Promise<void>;
  /** Ends the session. */
  signOut(): Promise<void>;
}

/** A service for tests, with helpers for signed-in users, organizations and time. */
export interface TestAuthService<Extra extends string = never> {
  readonly auth: AuthService<Extra>;
  readonly clock: TestClock;
  /**
   * Creates a user with a browser and a fresh session. The user signs up with a passkey in a real ceremony, and an
   * operator sets the role.
   *
   * @throws TypeError for an unknown role
   * @throws Error if the service rejects the sign-up, for example because the username is taken
   * @example const ada = await signedInAs('user', { username: 'ada', adminOf: [engines] });
   */
  signedInAs(role: Role, person?: TestPerson): Promise<SignedInAgent>;
  /** Creates a browser without a session. */
  visitor(): TestAgent;
  /**
   * Creates an organization. Its first admin is a user of the test kit with the role `admin`.
   *
   * @param name default: a unique name
   */
  organization(name?: string): Promise<TestOrganization>;
  /** Closes the service and the server of its app. */
  close(): Promise<void>;
}
