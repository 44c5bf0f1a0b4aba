import { existsSync } from 'node:fs';
import { isProduction, readConfiguration } from 'latchkey';

/** What the server itself decides by; everything else is the service's, and read by it. */
export interface Settings {
  host: string | null;
  port: number;
  /** The first configured origin: where people are sent. */
  origin: string;
  /** Null: no DATABASE_URL was given, and PostgreSQL is started here. */
  databaseUrl: string | null;
}

/** Reads `.env`, where there is one, and the environment. @throws ConfigurationError with every fault at once */
export function readSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const databaseUrl = process.env.DATABASE_URL?.trim() || null;
  // In production a missing DATABASE_URL is a fault like any other; in development it means the embedded one.
  const database = databaseUrl === null && !isProduction() ? embeddedStandIn : undefined;
  const { origins, serverAddress } = readConfiguration({ database });
  return { ...serverAddress, origin: origins[0], databaseUrl };
}

/** Says that a database will be there, before it is. */
const embeddedStandIn = {};
