import { type Configuration, ConfigurationError, readConfiguration } from 'latchkey';
import type { Check } from './check.ts';

/** The configuration, null if it is invalid, and its checks. */
export interface Settings {
  config: Configuration | null;
  checks: Check[];
}

export function examineSettings(): Settings {
  try {
    // The database has its own checks; this is a placeholder.
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
  why: whyOf[setting] ?? 'The service does not start with it.',
  fix: `Set ${setting} to ${expected}`,
});

const whyOf: Record<string, string> = {
  WEBAUTHN_RP_ID: 'Passkeys are bound to this domain permanently. Browsers reject them on any other.',
  WEBAUTHN_RP_ORIGIN: 'Passkeys from any other origin, or over plain http, are rejected.',
  JWT_SECRET: 'An attacker who guesses it can forge challenges and tokens.',
};

function examineOrigins({ origins, rpId, production }: Configuration): Check[] {
  const https = origins.every((origin) => origin.startsWith('https:'));
  const cookie = https
    ? 'the session cookie is __Host-latchkey: Secure, HttpOnly, SameSite=Lax'
    : `the session cookie is latchkey, without Secure: plain http on localhost${production ? '' : '; production requires https'}`;
  return [
    { name: 'Relying party', level: 'ok', message: `${rpId}, at ${origins.join(', ')}` },
    { name: 'Cookies', level: 'ok', message: cookie },
  ];
}

/** Details of configuration warnings. The message of each begins with the name of its setting. */
const warningDetails: Record<string, Omit<Check, 'level' | 'message'>> = {
  RATE_LIMIT: {
    name: 'Rate limits',
    why: 'Attackers can try passwords and codes without a limit.',
    fix: 'Remove RATE_LIMIT=off from the environment',
  },
  JWT_SECRET: {
    name: 'JWT_SECRET',
    why: 'The service does not start with it in production.',
    fix: 'Create one with `latchkey secret`',
  },
};

function examineSecret({ warnings, production, secrets }: Configuration): Check[] {
  const checks = warnings.map((message): Check => {
    const [setting = ''] = message.match(/^[A-Z_]+/) ?? [];
    return { name: setting, ...warningDetails[setting], level: 'warning', message };
  });
  if (checks.some(({ name }) => name === 'JWT_SECRET')) return checks;
  const origin = production || process.env.JWT_SECRET ? '' : ', generated under .latchkey/ for development';
  const count = secrets.length === 1 ? 'one secret' : `${secrets.length} secrets; the first one signs`;
  return [...checks, { name: 'JWT_SECRET', level: 'ok', message: `${count}${origin}` }];
}

function examineProxies({ trustedProxies, production }: Configuration): Check {
  const name = 'Proxies';
  if (production && trustedProxies === 0) {
    return {
      name,
      level: 'warning',
      message: 'TRUST_PROXY is 0: no proxy is trusted',
      why: 'Behind a proxy, all clients would share its address, both for rate limits and in the audit log.',
      fix: 'If a proxy terminates https, set TRUST_PROXY to the number of proxies. Otherwise ignore this',
    };
  }
  const message =
    trustedProxies === 0
      ? 'none; the client address is the address of the connection'
      : `${trustedProxies} trusted; the client address is entry ${trustedProxies} from the right of X-Forwarded-For`;
  return { name, level: 'ok', message };
}
