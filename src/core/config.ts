import { bounds } from './bounds.ts';
import { type BudgetName, type BudgetOptions, type Budgets, readBudgets } from './budgets.ts';
import { FaultList, type Given } from './config-fault.ts';
import { type LifetimeOptions, type Lifetimes, readLifetimes } from './config-lifetimes.ts';
import { readSecrets } from './config-secrets.ts';
import {
  readBreachedPasswordsUrl,
  readDatabaseUrl,
  readMigrationDatabaseUrl,
  readPage,
  readRedisUrl,
} from './config-urls.ts';
import {
  type AddressSetting,
  type NumberRange,
  readAddress,
  readAudiences,
  readChoice,
  readFlag,
  readList,
  readNumber,
  readPrivilegedMethods,
} from './config-values.ts';
import { readOrigins, readRpId } from './relying-party.ts';
import type { PrivilegedMethod } from './session.ts';
import type { Role } from './user.ts';

/** The environment variable of each option that has one. */
export const variables = {
  database: 'DATABASE_URL',
  migrationDatabase: 'MIGRATION_DATABASE_URL',
  rpId: 'WEBAUTHN_RP_ID',
  rpName: 'WEBAUTHN_RP_NAME',
  origins: 'WEBAUTHN_RP_ORIGIN',
  secret: 'JWT_SECRET',
  passkeyTimeoutMs: 'PASSKEY_TIMEOUT',
  sessionTtlSeconds: 'SESSION_TTL',
  sessionIdleTimeoutSeconds: 'SESSION_IDLE_TIMEOUT',
  reauthenticationWindowSeconds: 'REAUTHENTICATION_WINDOW',
  privilegedMethods: 'PRIVILEGED_METHODS',
  trustedProxies: 'TRUST_PROXY',
  maxRecoveryCodes: 'MAX_RECOVERY_CODES',
  recoveryCodeExpiryDays: 'RECOVERY_CODE_EXPIRY',
  assistedRecoveryDelaySeconds: 'ASSISTED_RECOVERY_DELAY',
  deletedUsernameReleaseDays: 'DELETED_USERNAME_RELEASE',
  auditRetentionSeconds: 'AUDIT_RETENTION',
  auditBurstThreshold: 'AUDIT_BURST_THRESHOLD',
  lookAlikes: 'LOOK_ALIKES',
  passwordMinLength: 'PASSWORD_MIN_LENGTH',
  bcryptCost: 'BCRYPT_COST',
  breachedPasswordsUrl: 'BREACHED_PASSWORDS_URL',
  rateLimit: 'RATE_LIMIT',
  redisUrl: 'REDIS_URL',
} as const satisfies Partial<Record<keyof ConfigurationOptions, string>>;

/** The options that are whole numbers, with the allowed range and the default. */
const numbers = {
  passkeyTimeoutMs: { unit: 'milliseconds', min: 15_000, max: 600_000, byDefault: 300_000 },
  sessionTtlSeconds: { unit: 'seconds', min: 5, max: 31_536_000, byDefault: 2_592_000 },
  sessionIdleTimeoutSeconds: { unit: 'seconds', min: 2, max: 31_536_000, byDefault: 604_800 },
  reauthenticationWindowSeconds: { unit: 'seconds', min: 1, max: 86_400, byDefault: 600 },
  trustedProxies: { unit: 'proxies', min: 0, max: 16, byDefault: 0 },
  maxRecoveryCodes: { unit: 'codes', min: 1, max: bounds.recoveryCodes, byDefault: 10 },
  recoveryCodeExpiryDays: { unit: 'days (0: never)', min: 0, max: 3650, byDefault: 0 },
  assistedRecoveryDelaySeconds: { unit: 'seconds', min: 0, max: 604_800, byDefault: 0 },
  deletedUsernameReleaseDays: { unit: 'days (0: never)', min: 0, max: 3650, byDefault: 0 },
  // The table latchkey.settings has the minimum that the database enforces (migration 12).
  auditRetentionSeconds: {
    unit: 'seconds (0: permanently)',
    min: 86_400,
    max: 3_153_600_000,
    byDefault: 34_560_000,
  },
  auditBurstThreshold: { unit: 'refusals', min: 1, max: 1000, byDefault: 10 },
  passwordMinLength: { unit: 'characters', min: 8, max: 64, byDefault: 8 },
  bcryptCost: { unit: null, min: 4, max: 16, byDefault: 12 },
} as const satisfies Partial<Record<keyof ConfigurationOptions, NumberRange>>;

/** The options that have the same type before and after the check. Each option has a given value or a default. */
type CheckedOptions = Required<
  Pick<
    ConfigurationOptions,
    | 'rpId'
    | 'rpName'
    | 'passkeyTimeoutMs'
    | 'sessionTtlSeconds'
    | 'sessionIdleTimeoutSeconds'
    | 'reauthenticationWindowSeconds'
    | 'trustedProxies'
    | 'maxRecoveryCodes'
    | 'recoveryCodeExpiryDays'
    | 'assistedRecoveryDelaySeconds'
    | 'deletedUsernameReleaseDays'
    | 'auditBurstThreshold'
    | 'lookAlikes'
    | 'passwordMinLength'
    | 'bcryptCost'
    | 'rateLimit'
    | 'recoveryPage'
    | 'invitationPage'
    | 'joinPage'
  >
>;

/** The checked settings of the service. Pages are absolute URLs. */
export interface Configuration extends Readonly<CheckedOptions> {
  readonly production: boolean;
  readonly databaseUrl: string | null;
  /** The URL of the role that owns the schema. Null: the role of the service migrates. */
  readonly migrationDatabaseUrl: string | null;
  /** SERVER_ADDR, for the application's server. The service uses only the port, in the default development origin. */
  readonly serverAddress: AddressSetting;
  /** The relying party's origin, then its related origins (WebAuthn Level 3, 5.11). */
  readonly origins: readonly [string, ...string[]];
  /** The first secret signs and encrypts. All secrets verify and decrypt, so that they can be rotated. */
  readonly secrets: readonly [string, ...string[]];
  /** Null: the audit log keeps events permanently. */
  readonly auditRetentionSeconds: number | null;
  readonly redisUrl: string | null;
  /** The lifetimes of the sessions of each role. */
  readonly sessionLifetimes: Readonly<Record<Role, Lifetimes>>;
  /** The methods of authentication that can make a session privileged. Always contains `passkey`. */
  readonly privilegedMethods: readonly PrivilegedMethod[];
  readonly budgets: Readonly<Record<BudgetName, Budgets>>;
  /** Null: new passwords are not checked. */
  readonly breachedPasswordsUrl: string | null;
  /** The audiences of service tokens. The first is the default. */
  readonly tokenAudiences: readonly [string, ...string[]];
  /** Risky settings that do not prevent the start. */
  readonly warnings: readonly string[];
}

/** Settings in code. If a description starts with an environment variable, the option overrides this variable. */
export interface ConfigurationOptions {
  /** DATABASE_URL: a `postgresql://…` URL. In code also a postgres.js client, a `pg` pool or a `Database`. */
  database?: unknown;
  /**
   * MIGRATION_DATABASE_URL: the `postgresql://…` URL of the database role that owns the schema, for `migrate`. The role
   * in `database` then gets only the rights that the service needs. If you pass `database` as an option, also
   * pass this as an option. Default: the role in `database` migrates.
   */
  migrationDatabase?: string;
  /**
   * WEBAUTHN_RP_ID: the domain that passkeys are bound to, such as `example.com`. Required in production. Default in
   * development: `localhost`.
   */
  rpId?: string;
  /** WEBAUTHN_RP_NAME: the name of the service in passkey dialogs. Default: `Latchkey`. */
  rpName?: string;
  /**
   * WEBAUTHN_RP_ORIGIN: the origin of the pages, such as `https://example.com`, then related origins (WebAuthn Level 3,
   * 5.11). Required in production. Default in development: `http://localhost:` with the port of SERVER_ADDR.
   */
  origins?: string | readonly string[];
  /**
   * JWT_SECRET: at least 32 random bytes as text. Required in production. In development, the service creates a secret
   * and stores it. With several secrets, the first signs and encrypts, and all verify and decrypt. Do not share a secret
   * with other services: they verify tokens with the public keys of `createWellKnownRouter`.
   */
  secret?: string | readonly string[];
  /** PASSKEY_TIMEOUT: how long a ceremony can take. 15000 to 600000 milliseconds; default 300000. */
  passkeyTimeoutMs?: number;
  /** SESSION_TTL: the longest lifetime of a session, for every role. 5 to 31536000 seconds; default 2592000 (30 days). */
  sessionTtlSeconds?: number;
  /**
   * SESSION_IDLE_TIMEOUT: how long a session lives without a request. 2 seconds to the session's lifetime; default
   * 604800 (7 days), or the session's lifetime if this is shorter.
   */
  sessionIdleTimeoutSeconds?: number;
  /**
   * Shorter lifetimes for the sessions of a role, for example `{ superadmin: { ttlSeconds: 28800, idleSeconds: 900 } }`.
   * Default for the roles `admin` and `superadmin`: 86400 seconds (24 hours), and 3600 seconds (an hour) without a
   * request. Variables: ADMIN_SESSION_TTL, ADMIN_SESSION_IDLE_TIMEOUT, SUPERADMIN_SESSION_TTL and
   * SUPERADMIN_SESSION_IDLE_TIMEOUT. Organization admins have the role `user`, so the lifetimes of admins do
   * not apply to them.
   */
  sessionLifetimes?: LifetimeOptions;
  /** REAUTHENTICATION_WINDOW: how long an authentication is fresh. 1 to 86400 seconds; default 600. */
  reauthenticationWindowSeconds?: number;
  /**
   * PRIVILEGED_METHODS: the methods of authentication that can make a session privileged: `passkey`, or
   * `passkey` and `password`; default `passkey,password`. Only a privileged session can have fresh
   * authentication and the rights of an admin, a superadmin or an organization admin. If the user has a
   * passkey, a session that was authenticated with a password is never privileged. Without `password`, a user
   * who has no passkey must add one first.
   */
  privilegedMethods?: readonly PrivilegedMethod[];
  /** TRUST_PROXY: how many proxies are in front of the server. 0 to 16; default 0. */
  trustedProxies?: number;
  /** MAX_RECOVERY_CODES: how many recovery codes a user gets at once. 1 to 20; default 10. */
  maxRecoveryCodes?: number;
  /** RECOVERY_CODE_EXPIRY: after how many days recovery codes expire. 0 to 3650; default 0 (never). */
  recoveryCodeExpiryDays?: number;
  /**
   * ASSISTED_RECOVERY_DELAY: how long users must wait before they can use a new recovery link. 0 to 604800 seconds (7
   * days); default 0. During this time, the user sees the link in every session and can cancel the link.
   */
  assistedRecoveryDelaySeconds?: number;
  /**
   * DELETED_USERNAME_RELEASE: after how many days another user can take the username of a deleted account. 0 to 3650;
   * default 0 (never). The new account has another id, so identify users by id, not by username.
   */
  deletedUsernameReleaseDays?: number;
  /**
   * AUDIT_RETENTION: how long the audit log keeps an event. At least 86400 seconds (a day), or 0: permanently; default
   * 34560000 (400 days). PCI DSS 10.5.1 requires 12 months. The database enforces a minimum, initially 90
   * days, which only the owner of the schema can change.
   */
  auditRetentionSeconds?: number;
  /**
   * AUDIT_BURST_THRESHOLD: how many refusals without a session the audit log records one by one, for each event and IP
   * address within ten minutes. It records the number of further refusals as one event. 1 to 1000; default 10.
   */
  auditBurstThreshold?: number;
  /** The page of the application that recovery links open: a path or URL. Default: `/recover`. */
  recoveryPage?: string;
  /** The page of the application that admin invitations open: a path or URL. Default: `/invitation`. */
  invitationPage?: string;
  /** The page of the application that organization invitations open: a path or URL. Default: `/join`. */
  joinPage?: string;
  /**
   * LOOK_ALIKES: `refuse` rejects a new username that looks like the username of another user, such as `4nna`
   * if `anna` exists (UTS #39). Default: `allow`. Usernames that look like reserved ones, such as `adm1n`,
   * are always rejected.
   */
  lookAlikes?: 'allow' | 'refuse';
  /**
   * PASSWORD_MIN_LENGTH: the minimum number of characters of a new password. 8 to 64; default 8. NIST SP
   * 800-63B-4, 3.1.1.2, requires 15 if a password is enough to sign in. Existing passwords stay valid.
   */
  passwordMinLength?: number;
  /**
   * BCRYPT_COST: the bcrypt work factor. 4 to 16, in production at least 10; default 12. After an increase, a password
   * is hashed again when the user next signs in with it.
   */
  bcryptCost?: number;
  /**
   * BREACHED_PASSWORDS_URL: a range API such as `https://api.pwnedpasswords.com`, for checking new passwords. The API
   * receives the first five characters of the password's SHA-1 digest. If the API does not respond within two seconds,
   * the password is accepted. Default: no check.
   */
  breachedPasswordsUrl?: string;
  /** RATE_LIMIT: `false` (in the variable: `off`) disables all rate limits. Default: `true`. */
  rateLimit?: boolean;
  /** For each kind of route: the rate limits of IP addresses and accounts. */
  rateLimits?: BudgetOptions;
  /** REDIS_URL: a Redis server that counts requests for several processes. Default: each process counts alone. */
  redisUrl?: string;
  /**
   * The names of the services that accept tokens of `POST /session/token`. A request can choose one name. Without a
   * choice, the token is for the first name. The token's `aud` contains the name. Default: the RP id.
   */
  tokenAudiences?: string | readonly string[];
  /** The environment to read variables from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The directory for the secret that the service creates in development. Default: `.latchkey`. */
  developmentDirectory?: string;
}

/**
 * Whether the service runs in production: NODE_ENV is `production`, or an origin is https and not localhost. Production
 * has no defaults for the RP id, the origin and the secret, and rejects weak secrets.
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
 * Reads and checks the configuration. If an option is absent, reads the environment variable of the option.
 *
 * @throws ConfigurationError that lists every invalid setting: its name, the given value (secrets are not shown) and
 *   the expected value
 * @example const { rpId, origins } = readConfiguration();
 */
export function readConfiguration(options: ConfigurationOptions = {}): Configuration {
  const env = options.env ?? process.env;
  const faults = new FaultList();
  const warnings: string[] = [];
  const given = (option: keyof typeof variables): Given =>
    options[option] == null
      ? { name: variables[option], text: textOf(env[variables[option]]) }
      : { name: option, text: textOf(options[option]) };
  const number = <Option extends keyof typeof numbers>(
    option: Option,
    limits: Partial<NumberRange & { byDefault: number }> = {},
  ) => readNumber(faults, given(option), { ...numbers[option], ...limits });
  const page = (option: 'recoveryPage' | 'invitationPage' | 'joinPage', byDefault: string) =>
    readPage(faults, option, options[option] ?? byDefault, origins);

  const serverAddress = readAddress(faults, { name: 'SERVER_ADDR', text: textOf(env.SERVER_ADDR) });
  const production = isProduction(options);
  const rpId = readRpId(faults, given('rpId'), production);
  const origins = readOrigins(faults, given('origins'), {
    rpId,
    rpIdName: given('rpId').name,
    production,
    port: serverAddress.port,
  });
  const sessionTtlSeconds = number('sessionTtlSeconds');
  const sessionIdleTimeoutSeconds = number('sessionIdleTimeoutSeconds', {
    unit: `seconds (at most ${given('sessionTtlSeconds').name})`,
    max: sessionTtlSeconds,
    byDefault: Math.min(numbers.sessionIdleTimeoutSeconds.byDefault, sessionTtlSeconds),
  });
  const rateLimit = options.rateLimit ?? readFlag(faults, given('rateLimit'), true);
  if (!rateLimit && production) {
    const setting = options.rateLimit === false ? 'rateLimit: false' : 'RATE_LIMIT=off';
    warnings.push(`${setting}: attempts to guess passwords and codes are not limited`);
  }

  const configuration: Configuration = {
    production,
    databaseUrl: isDatabaseClient(options.database) ? null : readDatabaseUrl(faults, given('database')),
    // MIGRATION_DATABASE_URL belongs to DATABASE_URL. It does not apply if the code passes another database.
    migrationDatabaseUrl:
      options.database === undefined || options.migrationDatabase !== undefined
        ? readMigrationDatabaseUrl(faults, given('migrationDatabase'))
        : null,
    serverAddress,
    rpId,
    rpName: given('rpName').text ?? 'Latchkey',
    origins,
    secrets: readSecrets(faults, warnings, given('secret'), {
      production,
      directory: options.developmentDirectory ?? '.latchkey',
    }),
    passkeyTimeoutMs: number('passkeyTimeoutMs'),
    sessionTtlSeconds,
    sessionIdleTimeoutSeconds,
    sessionLifetimes: readLifetimes(faults, options.sessionLifetimes, env, {
      ttlSeconds: sessionTtlSeconds,
      idleSeconds: sessionIdleTimeoutSeconds,
    }),
    reauthenticationWindowSeconds: number('reauthenticationWindowSeconds'),
    recoveryCodeExpiryDays: number('recoveryCodeExpiryDays'),
    maxRecoveryCodes: number('maxRecoveryCodes'),
    assistedRecoveryDelaySeconds: number('assistedRecoveryDelaySeconds'),
    deletedUsernameReleaseDays: number('deletedUsernameReleaseDays'),
    auditRetentionSeconds:
      given('auditRetentionSeconds').text === '0' ? null : number('auditRetentionSeconds'),
    auditBurstThreshold: number('auditBurstThreshold'),
    recoveryPage: page('recoveryPage', '/recover'),
    invitationPage: page('invitationPage', '/invitation'),
    joinPage: page('joinPage', '/join'),
    lookAlikes: readChoice(faults, given('lookAlikes'), ['allow', 'refuse']),
    passwordMinLength: number('passwordMinLength'),
    bcryptCost: number('bcryptCost', production ? { min: 10 } : {}),
    breachedPasswordsUrl: readBreachedPasswordsUrl(faults, given('breachedPasswordsUrl')),
    redisUrl: readRedisUrl(faults, given('redisUrl')),
    privilegedMethods: readPrivilegedMethods(faults, {
      ...given('privilegedMethods'),
      // An empty list in code is a fault, not a missing value.
      ...(options.privilegedMethods?.length === 0 && { text: '' }),
    }),
    trustedProxies: number('trustedProxies'),
    rateLimit,
    budgets: readBudgets(faults, options.rateLimits),
    tokenAudiences: readAudiences(faults, options.tokenAudiences, rpId),
    warnings,
  };
  faults.throwIfAny();
  return configuration;
}

/** An empty value counts as missing, because `NAME= npm start` and Docker Compose files pass empty variables. */
const textOf = (value: unknown): string | undefined => `${value ?? ''}`.trim() || undefined;

const isDatabaseClient = (database: unknown): boolean =>
  database !== undefined && typeof database !== 'string';
