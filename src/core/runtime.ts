import type { CapabilityTable } from './capability-table.ts';
import type { Configuration } from './config.ts';
import type { Database } from './database.ts';
import type { Logger } from './logger.ts';
import type { Outcomes } from './outcomes.ts';
import type { Sealer } from './sealing.ts';
import type { SessionCache } from './session-cache.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What every operation works with; built once by `createAuthService`. */
export interface Runtime {
  readonly config: Configuration;
  readonly db: Database;
  /** What is remembered of sessions, for checks that need not read the row. */
  readonly sessions: SessionCache;
  readonly sealer: Sealer;
  /** The keys that sign service tokens. */
  readonly signingKeys: SigningKeys;
  /** From role to capabilities, those of the application among them. */
  readonly capabilities: CapabilityTable<string>;
  /** How requests were answered. */
  readonly outcomes: Outcomes;
  readonly log: Logger;
  /** This process's time, for the expiry of ceremonies. Rows live by the database's clock. */
  readonly clock: () => Date;
}
