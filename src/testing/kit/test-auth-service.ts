import type { Role, User } from '../../core/user.ts';
import type { DatabaseSource } from '../../db/adapter.ts';
import type { AuthServiceOptions } from '../../service/auth-service.ts';
import type { AuthService } from '../../service/types.ts';
import type { SoftwareAuthenticator } from '../authenticator/software-authenticator.ts';
import type { TestOrganization } from './organizations.ts';
import type { TestableApp } from './served-app.ts';
import type { TestAgent } from './test-agent.ts';
import type { TestClock } from './test-clock.ts';

/** What `createTestAuthService` takes: what `createAuthService` takes, and the app under test. */
export interface TestAuthServiceOptions<Extra extends string = never>
  extends Omit<AuthServiceOptions<Extra>, 'migrate' | 'clock' | 'database'> {
  /**
   * Makes the app that agents send their requests to. Default: one that has the service's own endpoints alone.
   *
   * @example (auth, clock) => createApp(auth, { now: clock.now })
   */
  app?: (auth: AuthService<NoInfer<Extra>>, clock: TestClock) => TestableApp | Promise<TestableApp>;
  /**
   * A real PostgreSQL to run the same tests on, as `createAuthService` takes it. It is migrated, and what a test
   * writes stays there; a client or pool stays the test's to close. Default: one in memory.
   */
  database?: DatabaseSource | undefined;
}

/** Whom `signedInAs` makes. */
export interface TestPerson {
  /** Default: one that nobody has. */
  username?: string;
  /** Organizations that they are a member of, of those that `organization` has made: they are invited and accept. */
  memberOf?: readonly Pick<TestOrganization, 'id'>[];
  /** Organizations whose admin they are. */
  adminOf?: readonly Pick<TestOrganization, 'id'>[];
}

/** Somebody's browser, and what they do at the service's own endpoints, wherever the app has mounted these. */
export interface SignedInAgent extends TestAgent {
  /** Who it is, as of when they were made. */
  readonly user: User;
  /** What holds their passkey. */
  readonly authenticator: SoftwareAuthenticator;
  /** Signs in anew with the passkey: after `signOut`, or once the session has expired. @throws Error where it is refused */
  signIn(): Promise<void>;
  /** Confirms presence with the passkey, so that the session is fresh again. @throws Error without a session */
  stepUp(): Promise<void>;
  signOut(): Promise<void>;
}

/** A service for tests, and people who are signed in to it. */
export interface TestAuthService<Extra extends string = never> {
  readonly auth: AuthService<Extra>;
  readonly clock: TestClock;
  /**
   * Somebody new, in a browser of their own, with a fresh session. They have signed up with a passkey, in a real
   * ceremony, and an operator has given them their role.
   *
   * @throws TypeError for a role that there is not
   * @throws Error where the service refuses them: the username is taken, say
   * @example const ada = await signedInAs('user', { username: 'ada', adminOf: [engines] });
   */
  signedInAs(role: Role, person?: TestPerson): Promise<SignedInAgent>;
  /** A browser in which nobody is signed in. */
  visitor(): TestAgent;
  /**
   * Founds an organization; its first admin is an account of the kit's own, of the role `admin`.
   *
   * @param name default: one that no other has
   */
  organization(name?: string): Promise<TestOrganization>;
  /** Ends the service and the server of its app. */
  close(): Promise<void>;
}
