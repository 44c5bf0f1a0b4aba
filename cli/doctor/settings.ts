import { type Configuration, ConfigurationError, readConfiguration } from 'latchkey';
import { configuredOptions, environment } from '../settings.ts';
import type { Check } from './check.ts';

export interface Settings {
  /** Null if the configuration is invalid. */
  config: Configuration | null;
  checks: Check[];
}

export function examineSettings(): Settings {
  try {
    // The empty object is a placeholder. Other checks examine the database.
    const config = readConfiguration({ ...configuredOptions(), database: {} });
    return { config, checks: [...examineOrigins(config), ...examineSecret(config), examineProxies(config)] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { config: null, checks: error.faults.map(failedCheck) };
  }
}

const failedCheck = ({ setting, given, expected }: ConfigurationError['faults'][number]): Check => ({
  name: setting,
  level: 'error',
  message: `given ${given}`,
  why: whyOf[setting] ?? 'The service does not start with this value.',
  fix: `Set ${setting} to ${expected}`,
});

const why = {
  rpId: 'Passkeys are bound to this domain permanently. They work only on this domain, its subdomains and related origins.',
  origins:
    'Latchkey accepts passkeys only from these origins. Plain http is allowed only for localhost, in development.',
  secret: 'An attacker who guesses the secret can forge challenges and tokens.',
};

/** The reasons, by the name of the variable and by the name of the option. */
const whyOf: Record<string, string> = {
  ...why,
  WEBAUTHN_RP_ID: why.rpId,
  WEBAUTHN_RP_ORIGIN: why.origins,
  JWT_SECRET: why.secret,
};

function examineOrigins({ origins, rpId, production }: Configuration): Check[] {
  const https = origins.every((origin) => origin.startsWith('https:'));
  const cookie = https
    ? 'the session cookie is __Host-latchkey: Secure, HttpOnly, SameSite=Lax'
    : `the session cookie is named latchkey and is set without Secure, for plain http on localhost${production ? '' : '; production requires https'}`;
  return [
    { name: 'Relying party', level: 'ok', message: `${rpId}, at ${origins.join(', ')}` },
    { name: 'Cookies', level: 'ok', message: cookie },
  ];
}

const rateLimitDetails = (setting: string): Omit<Check, 'level' | 'message'> => ({
  name: 'Rate limits',
  why: 'Attackers can try passwords and codes without a limit.',
  fix: `Remove ${setting}`,
});

const secretDetails = (name: string): Omit<Check, 'level' | 'message'> => ({
  name,
  why: 'In production, the service does not start with this secret.',
  fix: 'Create one with `latchkey secret`',
});

/** Details of configuration warnings. Each warning begins with its setting: the variable, or the option. */
const warningDetails: Record<string, Omit<Check, 'level' | 'message'>> = {
  RATE_LIMIT: rateLimitDetails('RATE_LIMIT=off from the environment'),
  rateLimit: rateLimitDetails('rateLimit: false from the options'),
  JWT_SECRET: secretDetails('JWT_SECRET'),
  secret: secretDetails('secret'),
};

function examineSecret({ warnings, production, secrets }: Configuration): Check[] {
  const checks = warnings.map((message): Check => {
    const [setting = ''] = message.match(/^\w+/) ?? [];
    return { name: setting, ...warningDetails[setting], level: 'warning', message };
  });
  const isOption = configuredOptions().secret != null;
  const name = isOption ? 'secret' : 'JWT_SECRET';
  if (checks.some((check) => check.name === name)) return checks;
  const isGiven = production || isOption || Boolean(environment().JWT_SECRET);
  const origin = isGiven ? '' : ', created in .latchkey/ for development';
  const count =
    secrets.length === 1 ? 'one secret' : `${secrets.length} secrets; new tokens use the first one`;
  return [...checks, { name, level: 'ok', message: `${count}${origin}` }];
}

function examineProxies({ trustedProxies, production }: Configuration): Check {
  const name = 'Proxies';
  if (production && trustedProxies === 0) {
    return {
      name,
      level: 'warning',
      message: 'TRUST_PROXY is 0, so no proxy is trusted',
      why: 'Behind a proxy, rate limits and audit events would use the IP address of the proxy for all clients.',
      fix: 'Set TRUST_PROXY to the number of proxies. If there are none, ignore this warning',
    };
  }
  const message =
    trustedProxies === 0
      ? 'none; the IP address of a client is the IP address of its connection'
      : `${trustedProxies} trusted; the IP address of a client is entry ${trustedProxies} of X-Forwarded-For, counted from the right`;
  return { name, level: 'ok', message };
}
