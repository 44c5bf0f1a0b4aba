import type { AuthenticatorMetadata } from './authenticator-metadata.ts';
import type { Grants } from './capability-table.ts';
import type { Configuration } from './config.ts';
import type { Database } from './database.ts';
import type { FieldSet } from './field-set.ts';
import type { LogProgress } from './log-progress.ts';
import type { Logger } from './logger.ts';
import type { Outcomes } from './outcomes.ts';
import type { Places } from './places.ts';
import type { RefusalBursts } from './refusal-bursts.ts';
import type { RoleObstacle } from './role-obstacle.ts';
import type { Sealer } from './sealing.ts';
import type { SessionCache } from './session-cache.ts';
import type { SessionUses } from './session-uses.ts';
import type { SignUpHooks } from './sign-up.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Telemetry } from './telemetry.ts';

/** The dependencies of operations. `createAuthService` builds them once. */
export interface Runtime {
  readonly config: Configuration;
  readonly db: Database;
  /** For session checks that can use a session from the cache. */
  readonly sessions: SessionCache;
  readonly uses: SessionUses;
  readonly sealer: Sealer;
  /** The key of the decoys, which the database keeps. */
  readonly decoySecret: string;
  /** The keys that sign service tokens. */
  readonly signingKeys: SigningKeys;
  /** What the roles of the service grant, with the application's own capabilities and organization roles. */
  readonly grants: Grants;
  /** The functions of the option `signUp`. */
  readonly signUp: SignUpHooks;
  /** The own fields of the application. */
  readonly fields: FieldSet;
  /** Null: the service has no metadata of authenticators. */
  readonly metadata: AuthenticatorMetadata | null;
  /** Returns why the passkeys of a user do not allow a role. Null: they allow it. */
  readonly roleObstacle: RoleObstacle;
  readonly outcomes: Outcomes;
  /** Undefined: `@opentelemetry/api` is not installed. */
  readonly telemetry: Telemetry | undefined;
  /** Counts refusals that the audit log does not record one by one. */
  readonly bursts: RefusalBursts;
  /** Tells waiting readers of the audit log when it has grown. */
  readonly logProgress: LogProgress;
  /** The places of IP addresses, from the application's function. */
  readonly places: Places;
  readonly log: Logger;
  /**
   * This process's clock. Used for ceremonies, service tokens, rate limits and the session cache. The database's clock
   * decides when rows expire.
   */
  readonly clock: () => Date;
}
