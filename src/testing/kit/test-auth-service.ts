import type { Role, User } from '../../core/user.ts';
import type { NoFields, SignUpFields, UserFields } from '../../core/user-fields.ts';
import type { DatabaseSource } from '../../db/adapter.ts';
import type { AuthServiceOptions } from '../../service/auth-service.ts';
import type { AuthService } from '../../service/types.ts';
import type { SoftwareAuthenticator } from '../authenticator/software-authenticator.ts';
import type { TestOrganization } from './organizations.ts';
import type { TestableApp } from './served-app.ts';
import type { TestAgent } from './test-agent.ts';
import type { TestClock } from './test-clock.ts';

/** The options of `createTestAuthService`: most options of `createAuthService`, and the app under test. */
export interface TestAuthServiceOptions<
  Extra extends string = never,
  Fields extends UserFields = NoFields,
  OfRoles extends string = never,
> extends Omit<AuthServiceOptions<Extra, Fields, OfRoles>, 'migrate' | 'clock' | 'database'> {
  /**
   * Creates the app under test, to which agents send requests. Default: an app with only the service's endpoints.
   *
   * @example (auth, clock) => createApp(auth, { now: clock.now })
   */
  app?: (
    auth: AuthService<NoInfer<Extra | OfRoles>, NoInfer<Fields>>,
    clock: TestClock,
  ) => TestableApp | Promise<TestableApp>;
  /** The own fields (`userFields`) in the sign-up of each user that the test kit creates. Default: none. */
  signUpFields?: SignUpFields<NoInfer<Fields>> | undefined;
  /**
   * A real PostgreSQL for the tests, in the same form as for `createAuthService`. The service migrates the database.
   * The data of the tests stays in the database. If `database` is a client or a pool, `close` does not close it.
   * Default: a database in memory.
   */
  database?: DatabaseSource | undefined;
}

/** Describes the user that `signedInAs` creates. */
export interface TestPerson {
  /** Default: a unique username. If the option `usernames` is `email`: a unique address of example.com. */
  username?: string;
  /** Organizations from `organization()` that the user joins with the role `user`. */
  memberOf?: readonly Pick<TestOrganization, 'id'>[];
  /** Organizations from `organization()` that the user joins as an organization admin. */
  adminOf?: readonly Pick<TestOrganization, 'id'>[];
  /** For each custom organization role (`organizationRoles`): organizations that the user joins with this role. */
  roleIn?: Readonly<Record<string, readonly Pick<TestOrganization, 'id'>[]>>;
}

/**
 * The browser of a signed-in user. `signIn`, `stepUp` and `signOut` work even if the app has no endpoints of the
 * service.
 */
export interface SignedInAgent extends TestAgent {
  /** The user as it was when `signedInAs` returned. Later changes are not visible here. */
  readonly user: User;
  /** The authenticator with the user's passkey. */
  readonly authenticator: SoftwareAuthenticator;
  /**
   * Signs in again with the passkey, for example after `signOut` or after the session expired.
   *
   * @throws Error if the service rejects the sign-in
   */
  signIn(): Promise<void>;
  /**
   * Runs a step-up with the passkey, so that the session is fresh again.
   *
   * @throws Error if the session has ended
   */
  stepUp(): Promise<void>;
  /** Ends the session. */
  signOut(): Promise<void>;
}

/** A service for tests, with helpers for signed-in users, organizations and time. */
export interface TestAuthService<Extra extends string = never, Fields extends UserFields = NoFields> {
  /** The service that the app uses. */
  readonly auth: AuthService<Extra, Fields>;
  /** The clock of the service. */
  readonly clock: TestClock;
  /**
   * Creates a user, and returns the user's browser with a fresh session. The user signs up with a passkey in a real
   * ceremony. Then an operator sets the role.
   *
   * @throws TypeError for an unknown role
   * @throws Error if the service rejects the sign-up, for example because the username is taken
   * @example const ada = await signedInAs('user', { username: 'ada', adminOf: [engines] });
   */
  signedInAs(role: Role, person?: TestPerson): Promise<SignedInAgent>;
  /** Creates a browser without a session. */
  visitor(): TestAgent;
  /**
   * Creates an organization. Its first organization admin is a user that the test kit creates.
   *
   * @param name default: a unique name
   */
  organization(name?: string): Promise<TestOrganization>;
  /** Closes the service and the server of the app. */
  close(): Promise<void>;
}
