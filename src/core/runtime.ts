import type { Database } from '../db/database.ts';
import type { CapabilityTable } from '../roles/capabilities.ts';
import type { Configuration } from './config.ts';
import type { Sealer } from './sealing.ts';

/** Where the service reports what an operator should know. Fits pino, and `console` too. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What every operation works with; built once by `createAuthService`. */
export interface Runtime {
  readonly config: Configuration;
  readonly db: Database;
  readonly sealer: Sealer;
  /** From role to capabilities, those of the application among them. */
  readonly capabilities: CapabilityTable<string>;
  readonly log: Logger;
  /** This process's time, for the expiry of ceremonies. Rows live by the database's clock. */
  readonly clock: () => Date;
}
