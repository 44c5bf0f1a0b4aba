import type { CapabilityTable } from './capability-table.ts';
import type { Configuration } from './config.ts';
import type { Database } from './database.ts';
import type { Logger } from './logger.ts';
import type { Outcomes } from './outcomes.ts';
import type { Sealer } from './sealing.ts';
import type { SessionCache } from './session-cache.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The dependencies of operations. `createAuthService` builds them once. */
export interface Runtime {
  readonly config: Configuration;
  readonly db: Database;
  /** For checks that do not need to read the session's row. */
  readonly sessions: SessionCache;
  readonly sealer: Sealer;
  /** The keys that sign service tokens. */
  readonly signingKeys: SigningKeys;
  /** The capabilities of the service and of the application. */
  readonly capabilities: CapabilityTable<string>;
  readonly outcomes: Outcomes;
  readonly log: Logger;
  /** The clock of this process, for ceremonies, rate limits and the session cache. Rows expire by the database's clock. */
  readonly clock: () => Date;
}
