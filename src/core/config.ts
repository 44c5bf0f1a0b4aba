import { type BudgetName, type BudgetOptions, type Budgets, readBudgets } from './budgets.ts';
import { FaultList } from './config-fault.ts';
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

/** The service's settings after every check; units are in the names. */
export interface Configuration {
  readonly production: boolean;
  readonly databaseUrl: string | null;
  /** Where a server listens; the service itself only takes the port for its development origin. */
  readonly serverAddress: AddressSetting;
  readonly rpId: string;
  readonly rpName: string;
  /** The first is the relying party's own; the further ones are related origins. */
  readonly origins: readonly [string, ...string[]];
  /** The first signs and seals; all verify and open. */
  readonly secrets: readonly [string, ...string[]];
  readonly passkeyTimeoutMs: number;
  readonly sessionTtlSeconds: number;
  readonly sessionIdleTimeoutSeconds: number;
  readonly reauthenticationWindowSeconds: number;
  readonly recoveryCodeExpiryDays: number;
  readonly maxRecoveryCodes: number;
  /** How long a recovery link for another user waits before it can be used. */
  readonly assistedRecoveryDelaySeconds: number;
  /** How long the audit log keeps an event; null: for ever. */
  readonly auditRetentionSeconds: number | null;
  readonly redisUrl: string | null;
  readonly trustedProxies: number;
  readonly rateLimit: boolean;
  readonly budgets: Readonly<Record<BudgetName, Budgets>>;
  /** The work factor of bcrypt: each step doubles the time. */
  readonly bcryptCost: number;
  /** Where breached passwords are looked up by range (k-anonymity); null: nowhere. */
  readonly breachedPasswordsUrl: string | null;
  /** Where people arrive who recover with a link: an absolute URL. */
  readonly recoveryPage: string;
  /** Where people arrive who are invited: an absolute URL. */
  readonly invitationPage: string;
  /** The page that accepts invitations to organizations: an absolute URL. */
  readonly joinPage: string;
  /** The services that service tokens may be issued for; a request that names none gets a token for the first. */
  readonly tokenAudiences: readonly [string, ...string[]];
  /** What an operator should know although the service starts. */
  readonly warnings: readonly string[];
}

/** Settings given in code, each in place of its environment variable. */
export interface ConfigurationOptions {
  /** DATABASE_URL: `postgresql://…`. A client or pool that the application has already made is as good. */
  database?: unknown;
  /** WEBAUTHN_RP_ID: the domain passkeys are bound to. */
  rpId?: string;
  /** WEBAUTHN_RP_NAME: what a person's passkey dialog calls the service. */
  rpName?: string;
  /** WEBAUTHN_RP_ORIGIN: where the pages live; further entries are related origins. */
  origins?: string | readonly string[];
  /**
   * JWT_SECRET: 32 random bytes at least. The first of several signs and seals, all verify and open. Services that
   * verify tokens never get it: they use the public keys that `createWellKnownRouter` serves.
   */
  secret?: string | readonly string[];
  /** PASSKEY_TIMEOUT, milliseconds: 15000 to 600000, default 300000. */
  passkeyTimeoutMs?: number;
  /** SESSION_TTL, seconds, default 2592000 (30 days). */
  sessionTtlSeconds?: number;
  /** SESSION_IDLE_TIMEOUT, seconds, default 604800 (7 days). */
  sessionIdleTimeoutSeconds?: number;
  /** REAUTHENTICATION_WINDOW, seconds, default 600. */
  reauthenticationWindowSeconds?: number;
  /** TRUST_PROXY: how many proxies stand in front, default 0. */
  trustedProxies?: number;
  /** MAX_RECOVERY_CODES: how many are made at once, 1 to 20, default 10. */
  maxRecoveryCodes?: number;
  /** RECOVERY_CODE_EXPIRY, days, default 0: never. */
  recoveryCodeExpiryDays?: number;
  /**
   * ASSISTED_RECOVERY_DELAY, seconds, 0 to 604800 (7 days), default 0: how long a recovery link for another user waits
   * before it can be used. The user sees it meanwhile and can cancel it.
   */
  assistedRecoveryDelaySeconds?: number;
  /** AUDIT_RETENTION, seconds, 86400 (a day) at least: how long the audit log keeps an event. Default: for ever. */
  auditRetentionSeconds?: number;
  /** The page of the application that takes recovery links, a path or URL; default `/recover`. */
  recoveryPage?: string;
  /** The page of the application that takes invitations, a path or URL; default `/invitation`. */
  invitationPage?: string;
  /** The page of the application that accepts invitations to organizations, a path or URL; default `/join`. */
  joinPage?: string;
  /** BCRYPT_COST: 12 by default, 10 at least in production. A higher one reaches old hashes at their next login. */
  bcryptCost?: number;
  /**
   * BREACHED_PASSWORDS_URL: asks there whether a new password is known from a breach, by the first five characters of
   * its SHA-1 digest, as `https://api.pwnedpasswords.com` answers. Default: nobody is asked. No answer within
   * two seconds counts as a no.
   */
  breachedPasswordsUrl?: string;
  /** RATE_LIMIT: `false` switches off every budget. */
  rateLimit?: boolean;
  /** What one address and one account may spend on each kind of route. */
  rateLimits?: BudgetOptions;
  /** REDIS_URL: counts for several processes together; default: each process counts by itself. */
  redisUrl?: string;
  /**
   * The services that POST /session/token may issue tokens for. Each token names one of them in `aud`; a request that
   * names none gets a token for the first. Default: the RP id.
   */
  tokenAudiences?: string | readonly string[];
  /** The environment to read everything else from, default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Where development keeps what it makes for itself, default `.latchkey`. */
  developmentDirectory?: string;
}

/** Production is NODE_ENV=production, or an https origin that is not localhost. Then nothing is made up. */
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
 * Reads the whole configuration, options before environment.
 *
 * @throws ConfigurationError listing every fault: variable, what was given (secrets masked), what is expected
 */
export function readConfiguration(options: ConfigurationOptions = {}): Configuration {
  const env = options.env ?? process.env;
  const faults = new FaultList();
  const warnings: string[] = [];
  // An empty variable is an absent one: `NAME= npm start` and compose files leave such behind.
  const text = (variable: string, given?: string | number) =>
    `${given ?? env[variable] ?? ''}`.trim() || undefined;
  const list = (variable: string, given?: string | readonly string[]) =>
    readList(typeof given === 'string' || given === undefined ? text(variable, given) : given.join(','));
  const number = <Default extends number | null>(
    variable: string,
    given: number | undefined,
    range: [min: number, max: number, byDefault: Default],
    unit: string,
  ) => readNumber(faults, variable, text(variable, given), range, unit);

  const serverAddress = readAddress(faults, text('SERVER_ADDR'));
  const rpId = text('WEBAUTHN_RP_ID', options.rpId);
  const originTexts = list('WEBAUTHN_RP_ORIGIN', options.origins);
  const production = isProduction(options);
  const checkedRpId = readRpId(faults, rpId, production);
  const origins = readOrigins(faults, originTexts, checkedRpId, production, serverAddress.port);

  const databaseUrl = readDatabaseUrl(faults, text, options.database);

  const sessionTtlSeconds = number(
    'SESSION_TTL',
    options.sessionTtlSeconds,
    [5, 31_536_000, 2_592_000],
    'seconds',
  );
  const idleGiven = text('SESSION_IDLE_TIMEOUT', options.sessionIdleTimeoutSeconds);
  const idleDefault = Math.min(604_800, sessionTtlSeconds);
  const sessionIdleTimeoutSeconds = readNumber(
    faults,
    'SESSION_IDLE_TIMEOUT',
    idleGiven,
    [2, sessionTtlSeconds, idleDefault],
    'seconds (never more than SESSION_TTL)',
  );

  const secretTexts = list('JWT_SECRET', options.secret);
  const secrets = readSecrets(
    faults,
    warnings,
    secretTexts,
    production,
    options.developmentDirectory ?? '.latchkey',
  );

  const rateLimitGiven = options.rateLimit === undefined ? undefined : options.rateLimit ? 'on' : 'off';
  const rateLimit = readFlag(faults, 'RATE_LIMIT', text('RATE_LIMIT', rateLimitGiven), true);
  if (!rateLimit && production)
    warnings.push('RATE_LIMIT=off: nothing limits how often passwords and codes are tried');

  const configuration: Configuration = {
    production,
    databaseUrl,
    serverAddress,
    rpId: checkedRpId,
    rpName: text('WEBAUTHN_RP_NAME', options.rpName) ?? 'Latchkey',
    origins,
    secrets,
    passkeyTimeoutMs: number(
      'PASSKEY_TIMEOUT',
      options.passkeyTimeoutMs,
      [15_000, 600_000, 300_000],
      'milliseconds',
    ),
    sessionTtlSeconds,
    sessionIdleTimeoutSeconds,
    reauthenticationWindowSeconds: number(
      'REAUTHENTICATION_WINDOW',
      options.reauthenticationWindowSeconds,
      [1, 86_400, 600],
      'seconds',
    ),
    recoveryCodeExpiryDays: number(
      'RECOVERY_CODE_EXPIRY',
      options.recoveryCodeExpiryDays,
      [0, 3650, 0],
      'days (0: never)',
    ),
    maxRecoveryCodes: number('MAX_RECOVERY_CODES', options.maxRecoveryCodes, [1, 20, 10], 'codes'),
    assistedRecoveryDelaySeconds: number(
      'ASSISTED_RECOVERY_DELAY',
      options.assistedRecoveryDelaySeconds,
      [0, 604_800, 0],
      'seconds',
    ),
    // A day at least, as latchkey.forget_audit_events has it too, which says why.
    auditRetentionSeconds: number(
      'AUDIT_RETENTION',
      options.auditRetentionSeconds,
      [86_400, 3_153_600_000, null],
      'seconds',
    ),
    recoveryPage: readPage(faults, 'recoveryPage', options.recoveryPage ?? '/recover', origins),
    invitationPage: readPage(faults, 'invitationPage', options.invitationPage ?? '/invitation', origins),
    joinPage: readPage(faults, 'joinPage', options.joinPage ?? '/join', origins),
    bcryptCost: number('BCRYPT_COST', options.bcryptCost, [production ? 10 : 4, 16, 12], 'doublings of work'),
    breachedPasswordsUrl: readBreachedPasswordsUrl(
      faults,
      text('BREACHED_PASSWORDS_URL', options.breachedPasswordsUrl),
    ),
    redisUrl: readRedisUrl(faults, text('REDIS_URL', options.redisUrl)),
    trustedProxies: number('TRUST_PROXY', options.trustedProxies, [0, 16, 0], 'proxies'),
    rateLimit,
    budgets: readBudgets(faults, options.rateLimits),
    tokenAudiences: readAudiences(faults, options.tokenAudiences, checkedRpId),
    warnings,
  };
  faults.throwIfAny();
  return configuration;
}

const secretExpected =
  'at least 32 random bytes, as `openssl rand -base64 32` prints them; several separated by commas rotate';

function readSecrets(
  faults: FaultList,
  warnings: string[],
  given: readonly string[],
  production: boolean,
  directory: string,
): readonly [string, ...string[]] {
  const [first, ...rest] = given;
  if (first === undefined) {
    if (!production) return [keptSecret(directory)];
    faults.add('JWT_SECRET', undefined, secretExpected);
    return [''];
  }
  for (const secret of given) {
    const weakness = weaknessOf(secret);
    if (weakness === null) continue;
    if (production) faults.addSecret('JWT_SECRET', secret, `${secretExpected} (this is ${weakness})`);
    else warnings.push(`JWT_SECRET is ${weakness}; production will refuse it`);
  }
  return [first, ...rest];
}
