import { closestName } from './closest-name.ts';
import type { FaultList } from './config-fault.ts';
import type { LifetimeOptions, Lifetimes } from './config-lifetimes.ts';
import { type ConfigurationOptions, variables } from './config-options.ts';
import type { SignUpOptions } from './sign-up.ts';
import { addUnknown, refuseUnknown } from './unknown-names.ts';
import { roles } from './user.ts';

/** The type that the value of an option must have. Null: another function checks the value. */
type Kind = 'boolean' | 'function' | 'logger' | 'object' | 'redis' | null;

const ofSignUp = ['mode', 'organizationInvitations', 'before', 'after'] satisfies (keyof SignUpOptions)[];
const lifetimes = ['ttlSeconds', 'idleSeconds'] satisfies (keyof Lifetimes)[];

/** The options of `readConfiguration`. */
const ofConfiguration = {
  database: null,
  migrationDatabase: null,
  rpId: null,
  rpName: null,
  origins: null,
  secret: null,
  passkeyTimeoutMs: null,
  attestation: null,
  authenticatorMetadata: null,
  authenticatorRoots: null,
  authenticatorMetadataRoots: null,
  authenticators: 'object',
  sessionTtlSeconds: null,
  sessionIdleTimeoutSeconds: null,
  sessionLifetimes: 'object',
  cookies: 'object',
  bearerTokens: null,
  impersonation: null,
  impersonationPage: null,
  webhooks: null,
  webhookSender: 'boolean',
  nativeApps: 'object',
  signUp: 'object',
  organizations: null,
  adminInvitations: 'boolean',
  reauthenticationWindowSeconds: null,
  privilegedMethods: null,
  trustedProxies: null,
  maxRecoveryCodes: null,
  recoveryCodeExpiryDays: null,
  assistedRecoveryDelaySeconds: null,
  deletedUsernameReleaseDays: null,
  auditRetentionDays: null,
  auditBurstThreshold: null,
  auditSequencer: 'boolean',
  auditSigningKey: null,
  auditVerifierKeys: null,
  auditCheckpointFile: null,
  auditWitnessUrl: null,
  auditWitnessKey: null,
  auditLogPublic: null,
  auditWitnessFor: null,
  recoveryPage: null,
  invitationPage: null,
  joinPage: null,
  lookAlikes: null,
  usernames: null,
  passwordMinLength: null,
  bcryptCost: null,
  breachedPasswordsUrl: null,
  password: 'object',
  placeOf: null,
  rateLimit: 'boolean',
  rateLimits: 'object',
  redisUrl: null,
  tokenAudiences: null,
  env: 'object',
  developmentDirectory: null,
} as const satisfies Record<keyof ConfigurationOptions, Kind>;

/**
 * All options of `createAuthService`. `createAuthService` assigns this list to a type that has every option, so the
 * compiler reports an option that is missing here.
 */
export const knownOptions = {
  ...ofConfiguration,
  redis: 'redis',
  migrate: 'boolean',
  capabilities: null,
  organizationRoles: null,
  userFields: null,
  log: 'logger',
  clock: 'function',
} as const satisfies Readonly<Record<string, Kind>>;

/** @throws TypeError if the options are not an object */
export function assertOptions(caller: string, options: unknown): asserts options is object {
  if (isObject(options)) return;
  const hint = typeof options === 'string' ? ' Pass a database URL as { database: url }.' : '';
  throw new TypeError(`${caller}: expected an object of options, given ${describe(options)}.${hint}`);
}

/** Adds a fault for each unknown option and for each value of the wrong type, also in nested options. */
export function checkOptionNames(faults: FaultList, options: object): void {
  const names = Object.keys(knownOptions);
  for (const [name, value] of Object.entries(options)) {
    const isKnown = names.includes(name);
    const kind: Kind = isKnown ? knownOptions[name as keyof typeof knownOptions] : null;
    if (!isKnown) addUnknown(faults, name, optionNamed(name, names), names);
    else if (typeof kind === 'string' && value != null) checkKind(faults, name, kind, value);
  }
  const { sessionLifetimes, signUp } = options as ConfigurationOptions;
  if (isObject(signUp)) refuseUnknown(faults, 'signUp', signUp, ofSignUp);
  if (isObject(sessionLifetimes)) checkLifetimes(faults, sessionLifetimes);
}

function checkLifetimes(faults: FaultList, ofRoles: object): void {
  refuseUnknown(faults, 'sessionLifetimes', ofRoles, [...roles, ...lifetimes]);
  for (const role of roles) {
    const path = `sessionLifetimes.${role}`;
    const ofRole: unknown = (ofRoles as LifetimeOptions)[role];
    if (isObject(ofRole)) refuseUnknown(faults, path, ofRole, lifetimes);
    else if (ofRole !== undefined) addKind(faults, path, ofRole, 'object');
  }
}

/** Returns the option that a name probably means. The name of an environment variable means its option. */
function optionNamed(name: string, names: readonly string[]): string | null {
  const [option] = Object.entries(variables).find(([, variable]) => variable === name) ?? [];
  return option ?? closestName(name, names);
}

const expectations = {
  boolean: 'true or false',
  function: 'a function that returns a Date, such as () => new Date()',
  logger: 'an object with the functions info, warn and error, such as pino() or console',
  object: 'an object',
  redis: 'an ioredis client (pass a URL as redisUrl)',
} as const;

function checkKind(faults: FaultList, name: string, kind: keyof typeof expectations, value: unknown): void {
  if (!hasKind(value, kind)) addKind(faults, name, value, kind);
}

function addKind(faults: FaultList, name: string, value: unknown, kind: keyof typeof expectations): void {
  faults.addText(name, describe(value), expectations[kind]);
}

/** Describes a value without showing it, because it can be a secret. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function hasKind(value: unknown, kind: keyof typeof expectations): boolean {
  if (kind === 'object' || kind === 'redis') return isObject(value);
  if (kind !== 'logger') return typeof value === kind;
  const logger = value as Record<string, unknown>;
  return isObject(value) && ['info', 'warn', 'error'].every((level) => typeof logger[level] === 'function');
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
