import { existsSync } from 'node:fs';
import { ConfigurationError, type ConfigurationFault, isProduction, readConfiguration } from 'latchkey';
import { type Certificate, readCertificateSetting } from './certificate.ts';
import { type MetricsAddress, readMetricsSetting } from './metrics/setting.ts';

/** What the server itself decides by; everything else is the service's, and read by it. */
export interface Settings {
  production: boolean;
  host: string | null;
  port: number;
  /** Where the pages live; people are sent to the first. */
  origins: readonly [string, ...string[]];
  trustedProxies: number;
  /** RATE_LIMIT: false switches off every rate limit. */
  rateLimit: boolean;
  /** Null: no DATABASE_URL was given, and PostgreSQL is started here. */
  databaseUrl: string | null;
  /** Null: plain http, for localhost or a proxy in front. */
  certificate: Certificate | null;
  /** Null: no metrics are kept. */
  metrics: MetricsAddress | null;
}

/** Reads `.env`, where there is one, and the environment. @throws ConfigurationError with every fault at once */
export function readSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const faults: ConfigurationFault[] = [];
  const certificate = listing(faults, () => readCertificateSetting(process.env));
  const metrics = listing(faults, () => readMetricsSetting(process.env));
  const databaseUrl = process.env.DATABASE_URL?.trim() || null;
  // In production a missing DATABASE_URL is a fault like any other; in development it means the embedded one.
  const database = databaseUrl === null && !isProduction() ? embeddedStandIn : undefined;
  const configuration = listing(faults, () => readConfiguration({ database }));
  const speaksHttps = certificate !== null;
  const origins = configuration && listing(faults, () => originsOf(configuration, speaksHttps));
  if (!configuration || !origins || certificate === undefined || metrics === undefined || faults.length > 0)
    throw new ConfigurationError(faults);
  const { production, serverAddress, trustedProxies, rateLimit } = configuration;
  const limits = { trustedProxies, rateLimit };
  return { production, ...serverAddress, origins, ...limits, databaseUrl, certificate, metrics };
}

/** Says that a database will be there, before it is. */
const embeddedStandIn = {};

/** Reads one thing; where it cannot be used, its faults go on the list, and the answer is undefined. */
function listing<T>(faults: ConfigurationFault[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}

/** Where the server speaks https itself, no page lives on plain http; nor does development's own origin. */
function originsOf(
  { origins, serverAddress }: ReturnType<typeof readConfiguration>,
  speaksHttps: boolean,
): readonly [string, ...string[]] {
  const plain = origins.find((origin) => origin.startsWith('http:'));
  if (!speaksHttps || plain === undefined) return origins;
  const expected = new URL(`https://localhost:${serverAddress.port}`).origin;
  if (!process.env.WEBAUTHN_RP_ORIGIN?.trim()) return [expected];
  throw new ConfigurationError([
    {
      variable: 'WEBAUTHN_RP_ORIGIN',
      given: JSON.stringify(plain),
      expected: `an https origin, such as ${expected}: with TLS_CERTIFICATE the server speaks nothing else`,
    },
  ]);
}
