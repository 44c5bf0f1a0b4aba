import { type Configuration, ConfigurationError, readConfiguration } from 'latchkey';
import type { Check } from './check.ts';

/** The configuration, where it can be used, and what there is to say about it. */
export interface Settings {
  config: Configuration | null;
  checks: Check[];
}

export function examineSettings(): Settings {
  try {
    // The database is looked at on its own; here anything stands for it.
    const config = readConfiguration({ database: {} });
    return { config, checks: [...examineOrigins(config), ...examineSecret(config), examineProxies(config)] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { config: null, checks: error.faults.map(faultOf) };
  }
}

const faultOf = ({ variable, given, expected }: ConfigurationError['faults'][number]): Check => ({
  name: variable,
  level: 'fault',
  message: `given ${given}`,
  why: whyOf[variable] ?? 'The service does not start with it.',
  mend: `Set ${variable} to ${expected}`,
});

const whyOf: Record<string, string> = {
  WEBAUTHN_RP_ID: 'Passkeys are bound to this domain for ever: browsers refuse them anywhere else.',
  WEBAUTHN_RP_ORIGIN: 'A passkey made at another origin, or over plain http, is refused.',
  JWT_SECRET: 'Whoever guesses it makes challenges and tokens that this service believes.',
};

function examineOrigins({ origins, rpId, production }: Configuration): Check[] {
  const https = origins.every((origin) => origin.startsWith('https:'));
  const cookie = https
    ? 'the session cookie is __Host-latchkey: Secure, HttpOnly, SameSite=Lax'
    : `the session cookie is latchkey, without Secure: plain http on localhost${production ? '' : '; production wants https'}`;
  return [
    { name: 'Relying party', level: 'ok', message: `${rpId}, at ${origins.join(', ')}` },
    { name: 'Cookies', level: 'ok', message: cookie },
  ];
}

/** What the configuration warns of, though the service starts: each begins with its setting. */
const warned: Record<string, Omit<Check, 'level' | 'message'>> = {
  RATE_LIMIT: {
    name: 'Rate limits',
    why: 'Passwords and codes can be tried without end.',
    mend: 'Take RATE_LIMIT=off out of the environment',
  },
  JWT_SECRET: {
    name: 'JWT_SECRET',
    why: 'Production does not start with it.',
    mend: 'Make one with `latchkey secret`',
  },
};

function examineSecret({ warnings, production, secrets }: Configuration): Check[] {
  const told = warnings.map((message): Check => {
    const [setting = ''] = message.match(/^[A-Z_]+/) ?? [];
    return { name: setting, ...warned[setting], level: 'warning', message };
  });
  if (told.some(({ name }) => name === 'JWT_SECRET')) return told;
  const kept = production || process.env.JWT_SECRET ? '' : ', made and kept under .latchkey/ for development';
  const count = secrets.length === 1 ? 'one secret' : `${secrets.length} secrets, of which the first signs`;
  return [...told, { name: 'JWT_SECRET', level: 'ok', message: `${count}${kept}` }];
}

function examineProxies({ trustedProxies, production }: Configuration): Check {
  const name = 'Proxies';
  if (production && trustedProxies === 0) {
    return {
      name,
      level: 'warning',
      message: 'TRUST_PROXY is 0: no proxy is believed to stand in front',
      why: 'Behind one, all clients would share its address: one budget for everybody, one address in the audit log.',
      mend: 'Where https ends at a proxy, set TRUST_PROXY to how many there are; else nothing is wrong',
    };
  }
  const message =
    trustedProxies === 0
      ? 'none in front; the address of a connection is the client’s'
      : `${trustedProxies} in front; the client’s address is taken that many entries from the right`;
  return { name, level: 'ok', message };
}
