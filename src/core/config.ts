import { type BudgetName, type BudgetOptions, type Budgets, readBudgets } from './budgets.ts';
import { FaultList, type Given } from './config-fault.ts';
import { readBreachedPasswordsUrl, readDatabaseUrl, readPage, readRedisUrl } from './config-urls.ts';
import {
  type AddressSetting,
  readAddress,
  readAudiences,
  readFlag,
  readList,
  readNumber,
} from './config-values.ts';
import { keptSecret } from './kept-secret.ts';
import { readOrigins, readRpId } from './relying-party.ts';
import { weaknessOf } from './secret-strength.ts';

/** The checked settings of the service. */
export interface Configuration {
  readonly production: boolean;
  readonly databaseUrl: string | null;
  /** SERVER_ADDR, for the application's server. The service only uses its port, for the default development origin. */
  readonly serverAddress: AddressSetting;
  readonly rpId: string;
  readonly rpName: string;
  /** The relying party's origin, then its related origins (WebAuthn Level 3, 5.11). */
  readonly origins: readonly [string, ...string[]];
  /** The first secret signs and encrypts. All secrets verify and decrypt, so that they can be rotated. */
  readonly secrets: readonly [string, ...string[]];
  readonly passkeyTimeoutMs: number;
  readonly sessionTtlSeconds: number;
  readonly sessionIdleTimeoutSeconds: number;
  readonly reauthenticationWindowSeconds: number;
  /** 0: recovery codes never expire. */
  readonly recoveryCodeExpiryDays: number;
  /** How many recovery codes are generated at a time. */
  readonly maxRecoveryCodes: number;
  /** How long after its creation a recovery link can first be used. */
  readonly assistedRecoveryDelaySeconds: number;
  /** How long the audit log keeps an event. Null: permanently. */
  readonly auditRetentionSeconds: number | null;
  readonly redisUrl: string | null;
  /** How many proxies are in front of the server. */
  readonly trustedProxies: number;
  readonly rateLimit: boolean;
  readonly budgets: Readonly<Record<BudgetName, Budgets>>;
  /** The bcrypt work factor. Each increment doubles the time. */
  readonly bcryptCost: number;
  /** The range API that new passwords are checked against (k-anonymity). Null: new passwords are not checked. */
  readonly breachedPasswordsUrl: string | null;
  /** The absolute URL of the page that recovery links open. */
  readonly recoveryPage: string;
  /** The absolute URL of the page that invitations of admins open. */
  readonly invitationPage: string;
  /** The absolute URL of the page that invitations to organizations open. */
  readonly joinPage: string;
  /** The audiences of service tokens. The first is the default. */
  readonly tokenAudiences: readonly [string, ...string[]];
  /** Risky settings that do not prevent the start. */
  readonly warnings: readonly string[];
}

/** Settings in code. An option overrides the environment variable that its description names. */
export interface ConfigurationOptions {
  /** DATABASE_URL: a `postgresql://…` URL, or a client or pool of the application. */
  database?: unknown;
  /** WEBAUTHN_RP_ID: the domain that passkeys are bound to, such as `example.com`. Required in production. */
  rpId?: string;
  /** WEBAUTHN_RP_NAME: the name of the service in passkey dialogs. Default: `Latchkey`. */
  rpName?: string;
  /**
   * WEBAUTHN_RP_ORIGIN: the origin of the pages, such as `https://example.com`, then related origins (WebAuthn Level 3,
   * 5.11). Required in production.
   */
  origins?: string | readonly string[];
  /**
   * JWT_SECRET: at least 32 random bytes as text. With several secrets, the first signs and encrypts, and all verify and
   * decrypt. Do not give it to services that verify tokens: they use the public keys that `createWellKnownRouter`
   * serves.
   */
  secret?: string | readonly string[];
  /** PASSKEY_TIMEOUT: how long a ceremony can take. 15000 to 600000 milliseconds; default 300000. */
  passkeyTimeoutMs?: number;
  /** SESSION_TTL: the lifetime of a session. 5 to 31536000 seconds; default 2592000 (30 days). */
  sessionTtlSeconds?: number;
  /**
   * SESSION_IDLE_TIMEOUT: how long a session lives without a request. 2 seconds to the session's lifetime; default
   * 604800 (7 days).
   */
  sessionIdleTimeoutSeconds?: number;
  /** REAUTHENTICATION_WINDOW: how long an authentication counts as fresh. 1 to 86400 seconds; default 600. */
  reauthenticationWindowSeconds?: number;
  /** TRUST_PROXY: how many proxies are in front of the server. 0 to 16; default 0. */
  trustedProxies?: number;
  /** MAX_RECOVERY_CODES: how many recovery codes are generated at a time. 1 to 20; default 10. */
  maxRecoveryCodes?: number;
  /** RECOVERY_CODE_EXPIRY: 0 to 3650 days; default 0 (never). */
  recoveryCodeExpiryDays?: number;
  /**
   * ASSISTED_RECOVERY_DELAY: how long after its creation a recovery link can first be used. 0 to 604800 seconds (7
   * days); default 0. Until then, the user sees the link in every session and can cancel it.
   */
  assistedRecoveryDelaySeconds?: number;
  /** AUDIT_RETENTION: how long the audit log keeps an event. At least 86400 seconds (a day); default: permanently. */
  auditRetentionSeconds?: number;
  /** The page of the application that recovery links open: a path or URL. Default: `/recover`. */
  recoveryPage?: string;
  /** The page of the application that invitations of admins open: a path or URL. Default: `/invitation`. */
  invitationPage?: string;
  /** The page of the application that invitations to organizations open: a path or URL. Default: `/join`. */
  joinPage?: string;
  /**
   * BCRYPT_COST: the bcrypt work factor. 4 to 16, in production at least 10; default 12. After an increase, a password
   * is hashed again when the user next signs in with it.
   */
  bcryptCost?: number;
  /**
   * BREACHED_PASSWORDS_URL: a range API such as `https://api.pwnedpasswords.com` that new passwords are checked against.
   * It receives the first five characters of the password's SHA-1 digest. If it does not answer within two seconds, the
   * password passes. Default: no check.
   */
  breachedPasswordsUrl?: string;
  /** RATE_LIMIT: `false` disables all rate limits. Default: `true`. */
  rateLimit?: boolean;
  /** The budgets of each address and each account, by kind of route. */
  rateLimits?: BudgetOptions;
  /** REDIS_URL: the Redis in which several processes count rate limits together. Default: each process counts alone. */
  redisUrl?: string;
  /**
   * The services that `POST /session/token` issues tokens for. `aud` of a token is the one service it is for: the first
   * unless the request names another. Default: the RP id.
   */
  tokenAudiences?: string | readonly string[];
  /** The environment to read variables from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Where the service keeps the secret that it generates in development. Default: `.latchkey`. */
  developmentDirectory?: string;
}

/**
 * Whether the service runs in production: NODE_ENV is `production`, or an origin is https and not localhost. In
 * production, the service requires the RP id, the origin and a strong secret instead of using development defaults.
 */
export function isProduction({ origins, env = process.env }: ConfigurationOptions = {}): boolean {
  const given = origins === undefined ? env.WEBAUTHN_RP_ORIGIN : origins.toString();
  return (
    env.NODE_ENV === 'production' ||
    readList(given).some(
      (origin) => /^https:/i.test(origin) && !/^https:\/\/localhost(?:[:/]|$)/i.test(origin),
    )
  );
}

/**
 * Reads and checks the configuration from the options, then from the environment.
 *
 * @throws ConfigurationError that lists every invalid setting: its name, the given value (secrets are not shown) and
 *   the expected value
 * @example const { rpId, origins } = readConfiguration();
 */
export function readConfiguration(options: ConfigurationOptions = {}): Configuration {
  const env = options.env ?? process.env;
  const faults = new FaultList();
  const warnings: string[] = [];
  const given = (variable: string, option?: keyof ConfigurationOptions): Given =>
    option === undefined || options[option] == null
      ? { name: variable, text: textOf(env[variable]) }
      : { name: option, text: textOf(options[option]) };
  const number = <Default extends number | null>(
    variable: string,
    option: keyof ConfigurationOptions,
    range: [min: number, max: number, byDefault: Default],
    unit: string,
  ) => readNumber(faults, given(variable, option), range, unit);

  const serverAddress = readAddress(faults, given('SERVER_ADDR'));
  const production = isProduction(options);
  const givenRpId = given('WEBAUTHN_RP_ID', 'rpId');
  const rpId = readRpId(faults, givenRpId, production);
  const origins = readOrigins(faults, given('WEBAUTHN_RP_ORIGIN', 'origins'), {
    rpId,
    rpIdName: givenRpId.name,
    production,
    port: serverAddress.port,
  });

  const databaseUrl = isDatabaseClient(options.database)
    ? null
    : readDatabaseUrl(faults, given('DATABASE_URL', 'database'));

  const sessionTtlSeconds = number('SESSION_TTL', 'sessionTtlSeconds', [5, 31_536_000, 2_592_000], 'seconds');
  const sessionIdleTimeoutSeconds = number(
    'SESSION_IDLE_TIMEOUT',
    'sessionIdleTimeoutSeconds',
    [2, sessionTtlSeconds, Math.min(604_800, sessionTtlSeconds)],
    `seconds (at most ${given('SESSION_TTL', 'sessionTtlSeconds').name})`,
  );

  const secrets = readSecrets(faults, warnings, given('JWT_SECRET', 'secret'), {
    production,
    directory: options.developmentDirectory ?? '.latchkey',
  });

  const rateLimit = options.rateLimit ?? readFlag(faults, given('RATE_LIMIT'), true);
  if (!rateLimit && production)
    warnings.push(
      options.rateLimit === false
        ? 'rateLimit: false: attempts to guess passwords and codes are not limited'
        : 'RATE_LIMIT=off: attempts to guess passwords and codes are not limited',
    );

  const configuration: Configuration = {
    production,
    databaseUrl,
    serverAddress,
    rpId,
    rpName: given('WEBAUTHN_RP_NAME', 'rpName').text ?? 'Latchkey',
    origins,
    secrets,
    passkeyTimeoutMs: number(
      'PASSKEY_TIMEOUT',
      'passkeyTimeoutMs',
      [15_000, 600_000, 300_000],
      'milliseconds',
    ),
    sessionTtlSeconds,
    sessionIdleTimeoutSeconds,
    reauthenticationWindowSeconds: number(
      'REAUTHENTICATION_WINDOW',
      'reauthenticationWindowSeconds',
      [1, 86_400, 600],
      'seconds',
    ),
    recoveryCodeExpiryDays: number(
      'RECOVERY_CODE_EXPIRY',
      'recoveryCodeExpiryDays',
      [0, 3650, 0],
      'days (0: never)',
    ),
    maxRecoveryCodes: number('MAX_RECOVERY_CODES', 'maxRecoveryCodes', [1, 20, 10], 'codes'),
    assistedRecoveryDelaySeconds: number(
      'ASSISTED_RECOVERY_DELAY',
      'assistedRecoveryDelaySeconds',
      [0, 604_800, 0],
      'seconds',
    ),
    // The database function latchkey.forget_audit_events enforces the same minimum and gives the reason.
    auditRetentionSeconds: number(
      'AUDIT_RETENTION',
      'auditRetentionSeconds',
      [86_400, 3_153_600_000, null],
      'seconds',
    ),
    recoveryPage: readPage(faults, 'recoveryPage', options.recoveryPage ?? '/recover', origins),
    invitationPage: readPage(faults, 'invitationPage', options.invitationPage ?? '/invitation', origins),
    joinPage: readPage(faults, 'joinPage', options.joinPage ?? '/join', origins),
    bcryptCost: number('BCRYPT_COST', 'bcryptCost', [production ? 10 : 4, 16, 12], 'doublings of work'),
    breachedPasswordsUrl: readBreachedPasswordsUrl(
      faults,
      given('BREACHED_PASSWORDS_URL', 'breachedPasswordsUrl'),
    ),
    redisUrl: readRedisUrl(faults, given('REDIS_URL', 'redisUrl')),
    trustedProxies: number('TRUST_PROXY', 'trustedProxies', [0, 16, 0], 'proxies'),
    rateLimit,
    budgets: readBudgets(faults, options.rateLimits),
    tokenAudiences: readAudiences(faults, options.tokenAudiences, rpId),
    warnings,
  };
  faults.throwIfAny();
  return configuration;
}

/** An empty value counts as missing: `NAME= npm start` and compose files pass empty variables. */
const textOf = (value: unknown): string | undefined => `${value ?? ''}`.trim() || undefined;

const isDatabaseClient = (database: unknown): boolean =>
  database !== undefined && typeof database !== 'string';

const secretExpected =
  'at least 32 random bytes, for example from `openssl rand -base64 32`; to rotate, several separated by commas';

function readSecrets(
  faults: FaultList,
  warnings: string[],
  { name, text }: Given,
  { production, directory }: { production: boolean; directory: string },
): readonly [string, ...string[]] {
  const [first, ...rest] = readList(text);
  if (first === undefined) {
    if (!production) return [keptSecret(directory)];
    faults.add(name, undefined, secretExpected);
    return [''];
  }
  for (const secret of [first, ...rest]) {
    const weakness = weaknessOf(secret);
    if (weakness === null) continue;
    if (production) faults.addSecret(name, secret, `${secretExpected} (this is ${weakness})`);
    else warnings.push(`${name} is ${weakness}; production rejects it`);
  }
  return [first, ...rest];
}
