import { type Configuration, ConfigurationError, readConfiguration } from 'latchkey';
import type { Check } from './check.ts';

export interface Settings {
  /** Null if the configuration is invalid. */
  config: Configuration | null;
  checks: Check[];
}

export function examineSettings(): Settings {
  try {
    // The empty object is a placeholder. Other checks examine the database.
    const config = readConfiguration({ database: {} });
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

const whyOf: Record<string, string> = {
  WEBAUTHN_RP_ID:
    'Passkeys are bound to this domain permanently. They work only on this domain, its subdomains and related origins.',
  WEBAUTHN_RP_ORIGIN:
    'Latchkey accepts passkeys only from these origins. Plain http is allowed only for localhost, in development.',
  JWT_SECRET: 'An attacker who guesses the secret can forge challenges and tokens.',
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

/** Details of configuration warnings, by the name of the setting. Each warning begins with the name of its setting. */
const warningDetails: Record<string, Omit<Check, 'level' | 'message'>> = {
  RATE_LIMIT: {
    name: 'Rate limits',
    why: 'Attackers can try passwords and codes without a limit.',
    fix: 'Remove RATE_LIMIT=off from the environment',
  },
  JWT_SECRET: {
    name: 'JWT_SECRET',
    why: 'In production, the service does not start with this secret.',
    fix: 'Create one with `latchkey secret`',
  },
};

function examineSecret({ warnings, production, secrets }: Configuration): Check[] {
  const checks = warnings.map((message): Check => {
    const [setting = ''] = message.match(/^[A-Z_]+/) ?? [];
    return { name: setting, ...warningDetails[setting], level: 'warning', message };
  });
  if (checks.some(({ name }) => name === 'JWT_SECRET')) return checks;
  const origin = production || process.env.JWT_SECRET ? '' : ', created in .latchkey/ for development';
  const count =
    secrets.length === 1 ? 'one secret' : `${secrets.length} secrets; new tokens use the first one`;
  return [...checks, { name: 'JWT_SECRET', level: 'ok', message: `${count}${origin}` }];
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
