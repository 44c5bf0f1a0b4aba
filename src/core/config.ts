import { existsSync } from 'node:fs';
import { bounds } from './bounds.ts';
import { type BudgetName, type Budgets, readBudgets } from './budgets.ts';
import { type AuditLogSettings, readAuditLog } from './config-audit-log.ts';
import { type AuthenticatorSettings, readAuthenticators } from './config-authenticators.ts';
import { type CookieSettings, readCookies } from './config-cookies.ts';
import { FaultList, type Given } from './config-fault.ts';
import {
  type LifetimeFunctions,
  type Lifetimes,
  readLifetimeFunctions,
  readLifetimes,
} from './config-lifetimes.ts';
import { type NativeApps, originsOfApps, readNativeApps } from './config-native-apps.ts';
import { type ConfigurationOptions, variables } from './config-options.ts';
import { type OrganizationSettings, readOrganizations } from './config-organizations.ts';
import { type HashVerifier, readHashVerifier } from './config-password.ts';
import { readSecrets } from './config-secrets.ts';
import { readSignUp } from './config-sign-up.ts';
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
  readSwitch,
} from './config-values.ts';
import { readWebhooks, type WebhookSettings } from './config-webhooks.ts';
import { assertOptions, checkOptionNames } from './known-options.ts';
import { type PlaceOf, readPlaceOf } from './places.ts';
import { readOrigins, readRpId } from './relying-party.ts';
import type { PrivilegedMethod } from './session.ts';
import type { SignUpMode } from './sign-up.ts';
import type { Role } from './user.ts';
import { readUsernameRule, type UsernameRule } from './username-rule.ts';

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
  auditRetentionDays: { unit: 'days (0: permanently)', min: 0, max: 36_500, byDefault: 400 },
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
    | 'auditSequencer'
    | 'lookAlikes'
    | 'passwordMinLength'
    | 'bcryptCost'
    | 'rateLimit'
    | 'bearerTokens'
    | 'impersonation'
    | 'impersonationPage'
    | 'webhookSender'
    | 'recoveryPage'
    | 'invitationPage'
    | 'joinPage'
    | 'adminInvitations'
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
  /** The origins of Android apps, for verifying passkeys. Pages never have such an origin. */
  readonly appOrigins: readonly string[];
  readonly nativeApps: NativeApps;
  readonly cookies: CookieSettings;
  readonly authenticators: AuthenticatorSettings;
  /** The first secret signs and encrypts. All secrets verify and decrypt, so that they can be rotated. */
  readonly secrets: readonly [string, ...string[]];
  /** Null: the audit log keeps events permanently. */
  readonly auditRetentionDays: number | null;
  readonly auditLog: AuditLogSettings;
  readonly redisUrl: string | null;
  /** The rule for usernames. */
  readonly usernames: UsernameRule;
  /** The lifetimes of the sessions of each role. */
  readonly sessionLifetimes: Readonly<Record<Role, Lifetimes>>;
  /** The functions that choose the lifetimes of new sessions. */
  readonly lifetimeFunctions: LifetimeFunctions;
  /** The methods of authentication that can make a session privileged. Always contains `passkey`. */
  readonly privilegedMethods: readonly PrivilegedMethod[];
  /** Null: the service has no organizations. */
  readonly organizations: OrganizationSettings | null;
  /** Null: the service has no webhooks. */
  readonly webhooks: WebhookSettings | null;
  /** Who can sign up. */
  readonly signUpMode: SignUpMode;
  /** Whether users can sign up with the link of an organization invitation, except in the mode `closed`. */
  readonly signUpOrganizationInvitations: boolean;
  readonly budgets: Readonly<Record<BudgetName, Budgets>>;
  /** Null: new passwords are not checked. */
  readonly breachedPasswordsUrl: string | null;
  /** Verifies password hashes of another system. Null: only bcrypt hashes work. */
  readonly hashVerifier: HashVerifier | null;
  /** Finds the place of an IP address. Null: places are not shown. */
  readonly placeOf: PlaceOf | null;
  /** The audiences of service tokens. The first is the default. */
  readonly tokenAudiences: readonly [string, ...string[]];
  /** Risky settings that do not prevent the start. */
  readonly warnings: readonly string[];
}

/**
 * Whether the service runs in production: NODE_ENV is `production`, or an origin is https and not localhost. Production
 * has no defaults for the RP id, the origin and the secret, and rejects weak secrets.
 *
 * @example
 * if (!isProduction()) process.loadEnvFile();
 */
export function isProduction(options: ConfigurationOptions = {}): boolean {
  // JavaScript can pass null, which counts as missing.
  const env = options.env ?? process.env;
  const given = options.origins == null ? env.WEBAUTHN_RP_ORIGIN : options.origins.toString();
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
 * @throws ConfigurationError that lists every invalid setting and every unknown option: its name, the given value
 *   (secrets are not shown) and the expected value
 * @throws TypeError if the options are not an object
 * @example const { rpId, origins } = readConfiguration();
 */
export function readConfiguration(options: ConfigurationOptions = {}): Configuration {
  assertOptions('readConfiguration', options);
  const env = options.env ?? process.env;
  const faults = new FaultList();
  const warnings: string[] = [];
  checkOptionNames(faults, options);
  const given = (option: keyof typeof variables): Given =>
    options[option] == null
      ? { name: variables[option], text: textOf(env[variables[option]]) }
      : { name: option, text: textOf(options[option]) };
  const number = <Option extends keyof typeof numbers>(
    option: Option,
    limits: Partial<NumberRange & { byDefault: number }> = {},
  ) => readNumber(faults, given(option), { ...numbers[option], ...limits });
  const page = (
    option: 'recoveryPage' | 'invitationPage' | 'joinPage' | 'impersonationPage',
    byDefault: string,
  ) => readPage(faults, given(option), byDefault, origins);

  const organizations = readOrganizations(faults, options.organizations, {
    switch: given('organizations'),
    createdBy: { name: 'ORGANIZATION_CREATORS', text: textOf(env.ORGANIZATION_CREATORS) },
  });
  const serverAddress = readAddress(faults, { name: 'SERVER_ADDR', text: textOf(env.SERVER_ADDR) });
  const production = isProduction(options);
  const rpId = readRpId(faults, given('rpId'), production);
  const nativeApps = readNativeApps(faults, options.nativeApps ?? undefined);
  const { origins, appOrigins } = readOrigins(faults, given('origins'), {
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
  const auditSequencer = options.auditSequencer ?? readFlag(faults, given('auditSequencer'), true);
  const rateLimit = options.rateLimit ?? readFlag(faults, given('rateLimit'), true);
  if (!rateLimit && production) {
    const setting = options.rateLimit === false ? 'rateLimit: false' : 'RATE_LIMIT=off';
    warnings.push(`${setting}: attempts to guess passwords and codes are not limited`);
  }

  const configuration: Configuration = {
    production,
    databaseUrl: isDatabaseClient(options.database)
      ? null
      : readDatabaseUrl(faults, given('database'), options.env === undefined ? unreadFileHint() : ''),
    // MIGRATION_DATABASE_URL belongs to DATABASE_URL. It does not apply if the code passes another database.
    migrationDatabaseUrl:
      options.database == null || options.migrationDatabase != null
        ? readMigrationDatabaseUrl(faults, given('migrationDatabase'))
        : null,
    serverAddress,
    rpId,
    rpName: given('rpName').text ?? 'Latchkey',
    origins,
    appOrigins: [...new Set([...appOrigins, ...originsOfApps(nativeApps)])],
    nativeApps,
    cookies: readCookies(faults, options.cookies ?? undefined, { rpId, origins }),
    bearerTokens: readSwitch(faults, options.bearerTokens, given('bearerTokens')),
    impersonation: readSwitch(faults, options.impersonation, given('impersonation')),
    secrets: readSecrets(faults, warnings, given('secret'), {
      production,
      directory: options.developmentDirectory ?? '.latchkey',
    }),
    passkeyTimeoutMs: number('passkeyTimeoutMs'),
    authenticators: readAuthenticators(faults, {
      attestation: given('attestation'),
      metadata: given('authenticatorMetadata'),
      roots: options.authenticatorRoots,
      metadataRoots: options.authenticatorMetadataRoots,
      policy: options.authenticators ?? undefined,
      production,
    }),
    sessionTtlSeconds,
    sessionIdleTimeoutSeconds,
    sessionLifetimes: readLifetimes(faults, options.sessionLifetimes ?? undefined, env, {
      ttlSeconds: sessionTtlSeconds,
      idleSeconds: sessionIdleTimeoutSeconds,
    }),
    lifetimeFunctions: readLifetimeFunctions(faults, options.sessionLifetimes ?? undefined),
    reauthenticationWindowSeconds: number('reauthenticationWindowSeconds'),
    recoveryCodeExpiryDays: number('recoveryCodeExpiryDays'),
    maxRecoveryCodes: number('maxRecoveryCodes'),
    assistedRecoveryDelaySeconds: number('assistedRecoveryDelaySeconds'),
    deletedUsernameReleaseDays: number('deletedUsernameReleaseDays'),
    auditRetentionDays: number('auditRetentionDays') || null,
    auditBurstThreshold: number('auditBurstThreshold'),
    auditSequencer,
    auditLog: readAuditLog(faults, {
      sequencer: { name: given('auditSequencer').name, isOn: auditSequencer },
      signingKey: given('auditSigningKey'),
      verifierKeys: given('auditVerifierKeys'),
      checkpointFile: given('auditCheckpointFile'),
      witnessUrl: given('auditWitnessUrl'),
      witnessKey: given('auditWitnessKey'),
      public: { ...given('auditLogPublic'), option: options.auditLogPublic },
      witnessFor: given('auditWitnessFor'),
    }),
    recoveryPage: page('recoveryPage', '/recover'),
    invitationPage: page('invitationPage', '/invitation'),
    joinPage: page('joinPage', '/join'),
    impersonationPage: page('impersonationPage', '/impersonate'),
    lookAlikes: readChoice(faults, given('lookAlikes'), ['allow', 'refuse']),
    usernames: readUsernameRule(faults, options.usernames, given('usernames')),
    passwordMinLength: number('passwordMinLength'),
    bcryptCost: number('bcryptCost', production ? { min: 10 } : {}),
    breachedPasswordsUrl: readBreachedPasswordsUrl(faults, given('breachedPasswordsUrl')),
    hashVerifier: readHashVerifier(faults, options.password),
    placeOf: readPlaceOf(faults, options.placeOf),
    redisUrl: readRedisUrl(faults, given('redisUrl')),
    privilegedMethods: readPrivilegedMethods(faults, {
      ...given('privilegedMethods'),
      // An empty list in code is a fault, not a missing value.
      ...(options.privilegedMethods?.length === 0 && { text: '' }),
    }),
    ...readSignUp(faults, options.signUp ?? undefined, {
      mode: textOf(env.SIGN_UP),
      organizationInvitations: textOf(env.SIGN_UP_ORGANIZATION_INVITATIONS),
      withoutOrganizations: organizations === null ? given('organizations').name : null,
    }),
    organizations,
    webhookSender: options.webhookSender ?? readFlag(faults, given('webhookSender'), true),
    webhooks: readWebhooks(faults, options.webhooks, {
      switch: given('webhooks'),
      allowedNetworks: { name: 'WEBHOOK_ALLOWED_NETWORKS', text: textOf(env.WEBHOOK_ALLOWED_NETWORKS) },
    }),
    adminInvitations: options.adminInvitations ?? readFlag(faults, given('adminInvitations'), true),
    trustedProxies: number('trustedProxies'),
    rateLimit,
    budgets: readBudgets(faults, options.rateLimits ?? undefined),
    tokenAudiences: readAudiences(faults, options.tokenAudiences, rpId),
    warnings,
  };
  faults.throwIfAny();
  return configuration;
}

/** An empty value counts as missing, because `NAME= npm start` and Docker Compose files pass empty variables. */
const textOf = (value: unknown): string | undefined => `${value ?? ''}`.trim() || undefined;

/** The service reads no file, so a `.env` file without `node --env-file` has no effect. */
const unreadFileHint = (): string =>
  existsSync('.env')
    ? '. The file .env exists, but the service does not read it. Start the app with node --env-file=.env'
    : '';

const isDatabaseClient = (database: unknown): boolean => database != null && typeof database !== 'string';
