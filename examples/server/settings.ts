import { existsSync } from 'node:fs';
import { ConfigurationError, type ConfigurationFault, isProduction, readConfiguration } from 'latchkey';
import { type Certificate, readCertificateSetting } from './certificate.ts';
import { type MetricsAddress, readMetricsSetting } from './metrics/setting.ts';

/** The server's own settings. The service reads all others itself. */
export interface Settings {
  production: boolean;
  host: string | null;
  port: number;
  /** Where the pages work. Redirects go to the first. */
  origins: readonly [string, ...string[]];
  trustedProxies: number;
  /** RATE_LIMIT: false switches off every rate limit. */
  rateLimit: boolean;
  /** Null: no DATABASE_URL was given, and the server starts an embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Null: plain http, for localhost or a proxy in front. */
  certificate: Certificate | null;
  /** Null: metrics are off. */
  metrics: MetricsAddress | null;
}

/** Reads `.env`, if it exists, and the environment. @throws ConfigurationError that lists every fault */
export function readSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const faults: ConfigurationFault[] = [];
  const certificate = collectFaults(faults, () => readCertificateSetting(process.env));
  const metrics = collectFaults(faults, () => readMetricsSetting(process.env));
  const databaseUrl = process.env.DATABASE_URL?.trim() || null;
  // In production a missing DATABASE_URL is a fault; in development it means the embedded PostgreSQL.
  const database = databaseUrl === null && !isProduction() ? embeddedPlaceholder : undefined;
  const configuration = collectFaults(faults, () => readConfiguration({ database }));
  const servesHttps = certificate !== null;
  const origins = configuration && collectFaults(faults, () => originsOf(configuration, servesHttps));
  if (!configuration || !origins || certificate === undefined || metrics === undefined || faults.length > 0)
    throw new ConfigurationError(faults);
  const { production, serverAddress, trustedProxies, rateLimit } = configuration;
  const limits = { trustedProxies, rateLimit };
  return { production, ...serverAddress, origins, ...limits, databaseUrl, certificate, metrics };
}

/** Satisfies the check for a database; the embedded one starts later. */
const embeddedPlaceholder = {};

/** Reads one setting. If it is invalid, adds its faults to the list and returns undefined. */
function collectFaults<T>(faults: ConfigurationFault[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}

/** With TLS_CERTIFICATE, http origins are a fault; the default origin in development becomes https. */
function originsOf(
  { origins, serverAddress }: ReturnType<typeof readConfiguration>,
  servesHttps: boolean,
): readonly [string, ...string[]] {
  const plain = origins.find((origin) => origin.startsWith('http:'));
  if (!servesHttps || plain === undefined) return origins;
  const expected = new URL(`https://localhost:${serverAddress.port}`).origin;
  if (!process.env.WEBAUTHN_RP_ORIGIN?.trim()) return [expected];
  throw new ConfigurationError([
    {
      setting: 'WEBAUTHN_RP_ORIGIN',
      given: JSON.stringify(plain),
      expected: `an https origin, such as ${expected}: with TLS_CERTIFICATE the server serves only https`,
    },
  ]);
}
