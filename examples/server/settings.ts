import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError, type ConfigurationFault, isProduction, readConfiguration } from 'latchkey';
import { type Brand, readBrandSetting } from './brand/setting.ts';
import { type Certificate, readCertificateSetting } from './certificate.ts';
import { type MetricsAddress, readMetricsSetting } from './metrics/setting.ts';

/** The server's own settings. The service reads all other settings itself. */
export interface Settings {
  production: boolean;
  host: string | null;
  port: number;
  /** The origins at which the pages work. Redirects go to the first one. */
  origins: readonly [string, ...string[]];
  trustedProxies: number;
  /** Whether rate limits are on (RATE_LIMIT). */
  rateLimit: boolean;
  /** Null without DATABASE_URL. Then the server starts an embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Null for plain http: on localhost or behind a proxy. */
  certificate: Certificate | null;
  /** Null if metrics are off. */
  metrics: MetricsAddress | null;
  /** The name, the logo and the color of the product. */
  brand: Brand;
}

/**
 * Reads the environment and, in development, `.env`, as the `latchkey` command does.
 *
 * @throws ConfigurationError that lists every invalid setting
 */
export function readSettings(): Settings {
  if (existsSync('.env') && !isProduction()) loadDevelopmentFile('.env');
  const faults: ConfigurationFault[] = [];
  const certificate = collectFaults(faults, () => readCertificateSetting(process.env));
  const metrics = collectFaults(faults, () => readMetricsSetting(process.env));
  const brand = collectFaults(faults, () => readBrandSetting(process.env));
  const databaseUrl = process.env.DATABASE_URL?.trim() || null;
  // Without DATABASE_URL, the configuration is invalid in production. In development, the server starts PostgreSQL
  // later.
  const database = databaseUrl === null && !isProduction() ? embeddedPlaceholder : undefined;
  const configuration = collectFaults(faults, () => readConfiguration({ database }));
  const servesHttps = certificate !== null;
  const origins = configuration && collectFaults(faults, () => originsOf(configuration, servesHttps));
  if (!configuration || !origins || certificate === undefined || metrics === undefined || !brand)
    throw new ConfigurationError(faults);
  const { production, serverAddress, trustedProxies, rateLimit } = configuration;
  const limits = { trustedProxies, rateLimit };
  return { production, ...serverAddress, origins, ...limits, databaseUrl, certificate, metrics, brand };
}

/** @throws ConfigurationError for a file with settings for production, because the operator has not named the file */
function loadDevelopmentFile(file: string): void {
  const variables = parseEnv(readFileSync(file, 'utf8')) as NodeJS.ProcessEnv;
  if (isProduction({ env: { ...variables, ...process.env } })) {
    const expected = `settings for development. In production, name the file: node --env-file=${file} …`;
    throw new ConfigurationError([{ setting: file, given: 'settings for production', expected }]);
  }
  process.loadEnvFile(file);
}

/** A placeholder for the embedded database. With this placeholder, a missing DATABASE_URL counts as valid. */
const embeddedPlaceholder = {};

/** Reads settings. If they are invalid, adds the faults to the list and returns undefined. */
function collectFaults<T>(faults: ConfigurationFault[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}

/** With TLS_CERTIFICATE, http origins are invalid, and the default origin in development is an https origin. */
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
      expected: `an https origin, such as ${expected}, because the server serves only https if TLS_CERTIFICATE is set`,
    },
  ]);
}
