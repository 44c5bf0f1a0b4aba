import { startMetadata } from '../attestation/metadata.ts';
import { followLog } from '../audit/feed/follow.ts';
import { createLogProgress } from '../audit/feed/log-progress.ts';
import { createSubscriptions } from '../audit/subscriptions.ts';
import type { AuthenticatorMetadata } from '../core/authenticator-metadata.ts';
import type { CapabilityOptions } from '../core/capability-table.ts';
import { readConfiguration } from '../core/config.ts';
import type { ConfigurationOptions } from '../core/config-options.ts';
import { consoleLogger } from '../core/console-logger.ts';
import { createFieldSet } from '../core/field-set.ts';
import { assertOptions, knownOptions } from '../core/known-options.ts';
import type { Logger } from '../core/logger.ts';
import { createOutcomes } from '../core/outcomes.ts';
import { createPlaces } from '../core/places.ts';
import { createRefusalBursts } from '../core/refusal-bursts.ts';
import type { Runtime } from '../core/runtime.ts';
import { createSealer } from '../core/sealing.ts';
import { createSigningKeys } from '../core/signing-keys.ts';
import type { NoFields, UserFields } from '../core/user-fields.ts';
import { adapterFor, type DatabaseSource } from '../db/adapter.ts';
import { guardApplicationClient } from '../db/application-client.ts';
import { composeDatabase, type DatabaseLoad } from '../db/compose-database.ts';
import { explainDatabase } from '../db/explain-database.ts';
import { readSchemaState } from '../db/migrate.ts';
import { requirePrimary } from '../db/on-primary.ts';
import { readStoredSecret } from '../db/stored-secret.ts';
import { fixedSessionCookieName } from '../http/cookie-names.ts';
import { type RateLimits, startRateLimits } from '../http/rate-limit.ts';
import type { RedisClient } from '../http/redis-client.ts';
import { refusalLogOf } from '../http/same-origin.ts';
import { readPrincipal } from '../organizations/operations/memberships.ts';
import { findRoleObstacle } from '../passkeys/operations/role-obstacle.ts';
import { passwordQueue } from '../password/hashing.ts';
import { readGrants } from '../roles/grants.ts';
import type { OrganizationRoleOptions } from '../roles/organization-roles.ts';
import { can } from '../roles/rules.ts';
import { touchSeconds } from '../sessions/lifetimes.ts';
import { createSessionCache } from '../sessions/session-cache.ts';
import { createSessionUses } from '../sessions/session-uses.ts';
import { createSessionWatches } from '../sessions/session-watch.ts';
import { signUpHooks } from '../sign-up/hooks.ts';
import { checkUsernameAvailability } from '../users/operations.ts';
import { startWebhookSender } from '../webhooks/sender.ts';
import { startAuditAlarm } from './audit-alarm.ts';
import { startAuditSequencer } from './audit-sequencer.ts';
import { startAuditWitness } from './audit-witness.ts';
import { recordBursts, startHousekeeping } from './housekeeping.ts';
import { notAService, remindToAwait } from './mistaken-service.ts';
import { loadOpenTelemetry } from './open-telemetry.ts';
import { operatorActions } from './operator-actions.ts';
import { prepareSchema } from './prepare-schema.ts';
import { requireAccess } from './require-access.ts';
import { sessionOf } from './session-of.ts';
import type { AuthService } from './types.ts';

/** The options of `createAuthService`. Most options override an environment variable. */
export interface AuthServiceOptions<
  Extra extends string = never,
  Fields extends UserFields = NoFields,
  OfRoles extends string = never,
> extends Omit<ConfigurationOptions, 'database'> {
  /**
   * A `postgresql://…` URL, a postgres.js client, a `pg` pool or a `Database`. Default: DATABASE_URL. `close` does not
   * close a client, a pool or a `Database` of the application.
   */
  database?: DatabaseSource;
  /**
   * An ioredis client for one server, Redis Sentinel or Redis Cluster. Replaces `redisUrl`. `close` does not close the
   * client.
   */
  redis?: RedisClient;
  /**
   * Whether to migrate the schema on start. Default: `false`. Without `migrate`, an outdated schema is an error. With
   * `migrationDatabase`, the migrations run with the role that owns the schema.
   */
  migrate?: boolean;
  /**
   * Capabilities of the application, for `requirePermission` and `auth.can`. Can also narrow the built-in capabilities of
   * a role: to a narrower scope, or to `false`.
   *
   * @example { user: { 'report:read': 'joined' }, admin: { 'report:publish': 'managed', 'user:recover': false } }
   */
  capabilities?: CapabilityOptions<Extra>;
  /**
   * The service's custom organization roles, in addition to `user` and `admin`. Each role lists the capabilities that its
   * members have in addition to those of every member. Default: none.
   *
   * @example { editor: ['document:write'], recruiter: ['organization:members:invite'] }
   */
  organizationRoles?: OrganizationRoleOptions<OfRoles>;
  /**
   * Own fields of users. Each has a Standard Schema (Valibot, Zod, ArkType…). `read` and `write` are the lowest roles
   * that can read and write it: `user`, `admin`, `superadmin` or `operator`. The types of the fields apply to `auth`,
   * the guards and the client. At most 32 fields, with 4096 bytes of JSON for each user.
   *
   * @example
   * { plan: { schema: v.optional(v.picklist(['free', 'pro']), 'free'), read: 'user', write: 'admin' } }
   */
  userFields?: Fields;
  /** The logger, such as a pino logger. Default: warnings and errors to stderr. */
  log?: Logger;
  /**
   * The clock for ceremonies, service tokens, rate limits and the session cache. A test can pass its own clock.
   * Default: the system clock.
   */
  clock?: () => Date;
}

// If the compiler reports this line, add the new option to `src/core/known-options.ts`.
knownOptions satisfies Readonly<Record<keyof AuthServiceOptions, unknown>>;

/** The runtime of each service. It contains the secrets, so `AuthService` does not expose it. */
const runtimes = new WeakMap<object, Runtime>();

/**
 * Returns the runtime of a service, for the router and the guards.
 *
 * @param caller the function that the application called with `auth`, for the error message
 * @throws TypeError for another object
 */
export function runtimeOf(auth: AuthService<string>, caller = 'auth'): Runtime {
  const runtime = typeof auth === 'object' && auth !== null ? runtimes.get(auth) : undefined;
  if (!runtime) throw new TypeError(`${caller}: ${notAService(auth, caller)}`);
  return runtime;
}

/**
 * Creates the service: reads the configuration, connects to the database, and checks or migrates the schema.
 *
 * @throws ConfigurationError that lists every invalid setting and every unknown option
 * @throws TypeError for invalid `capabilities`, invalid `organizationRoles`, invalid `userFields` or an invalid `database`
 * @throws SchemaError `schema_outdated` (without `migrate`) | `schema_newer` | `schema_edited` | `schema_locked` |
 *   `schema_not_owned`
 * @throws DatabaseError if the database cannot be used, for example because a password is wrong or a right is missing
 * @example
 * const auth = await createAuthService({ migrate: true });
 * app.use(createAuthRouter(auth).routes());
 */
export function createAuthService<
  const Extra extends string = never,
  const Fields extends UserFields = NoFields,
  const OfRoles extends string = never,
>(options: AuthServiceOptions<Extra, Fields, OfRoles> = {}): Promise<AuthService<Extra | OfRoles, Fields>> {
  return remindToAwait(startService(options));
}

async function startService<
  const Extra extends string,
  const Fields extends UserFields,
  const OfRoles extends string,
>(options: AuthServiceOptions<Extra, Fields, OfRoles>): Promise<AuthService<Extra | OfRoles, Fields>> {
  assertOptions('createAuthService', options);
  const fields = await createFieldSet(options.userFields);
  const config = readConfiguration(options);
  const grants = readGrants({
    capabilities: options.capabilities,
    organizationRoles: options.organizationRoles,
    organizations: config.organizations,
  });
  const signUp = signUpHooks(options.signUp ?? undefined);
  const log = options.log ?? consoleLogger;
  for (const warning of config.warnings) log.warn({}, warning);

  const telemetry = await loadOpenTelemetry();
  const load: DatabaseLoad = { pending: 0, succeeded: 0, failed: 0 };
  const database = options.database ?? config.databaseUrl;
  const adapter = adapterFor(database);
  const unwatch = guardApplicationClient(database, log);
  const clock = options.clock ?? (() => new Date());
  const subscriptions = createSubscriptions(composeDatabase(adapter, { load }), log);
  const sessions = createSessionCache(adapter, clock, log);
  const db = composeDatabase(adapter, {
    load,
    publish: subscriptions.publish,
    invalidate: sessions.invalidate,
    telemetry,
  });
  const uses = createSessionUses(db, touchSeconds(config), log);
  let runtime: Runtime;
  let rateLimits: RateLimits;
  let metadata: AuthenticatorMetadata | null = null;
  try {
    const setting = options.database == null ? 'DATABASE_URL' : 'the option database';
    const decoySecret = await explainDatabase(database, setting, async () => {
      await prepareSchema({ config, log, db }, adapter, options);
      return readStoredSecret(db, 'decoys');
    });
    metadata = startMetadata({ config, log, clock });
    runtime = {
      config,
      metadata,
      roleObstacle: (userId, role) => findRoleObstacle(runtime, userId, role),
      log,
      db,
      sessions,
      uses,
      outcomes: createOutcomes(),
      telemetry,
      logProgress: createLogProgress(db),
      places: createPlaces(config.placeOf, log),
      bursts: createRefusalBursts(clock, config.auditBurstThreshold, config.auditLog.isPublic),
      sealer: createSealer(config.secrets),
      decoySecret,
      signingKeys: createSigningKeys(config.secrets),
      grants,
      signUp,
      fields,
      clock,
    };
    rateLimits = await startRateLimits(runtime, options.redis);
  } catch (error) {
    unwatch();
    await metadata?.stop();
    await adapter.close?.();
    throw error;
  }

  const housekeeping = startHousekeeping(runtime);
  const webhooks = startWebhookSender(runtime);
  const witness = config.auditSequencer ? startAuditWitness(runtime) : undefined;
  const sequencer = witness && startAuditSequencer(runtime, witness.continuity);
  const alarm = startAuditAlarm(runtime);
  const watches = createSessionWatches({ ...runtime, sessions });
  const auth: Omit<AuthService<Extra | OfRoles>, 'userFields'> = {
    config: {
      production: config.production,
      rpId: config.rpId,
      rpName: config.rpName,
      origins: config.origins,
      serverAddress: config.serverAddress,
      passwordMinLength: config.passwordMinLength,
      signUpMode: config.signUpMode,
      signUpOrganizationInvitations: config.signUpOrganizationInvitations,
      organizations: config.organizations,
      adminInvitations: config.adminInvitations,
      impersonation: config.impersonation,
      webhooks: config.webhooks,
      get sessionCookieName() {
        return fixedSessionCookieName(config);
      },
    },
    organizationRoles: Object.fromEntries(
      [...grants.byOrganizationRole].map(([role, listed]) => [role, [...listed]]),
    ),
    users: { checkAvailability: (username) => checkUsernameAvailability(runtime, username) },
    sessionOf: (source, options) => sessionOf(runtime, source, options),
    // `undefined` as a requirement is an error, so it differs from no requirement.
    requireAccess: (source, ...given) => requireAccess(runtime, source, given.length === 0 ? {} : given[0]),
    watchSession: watches.watch,
    can: (principal, capability, resource = {}) => can(grants, principal, capability, resource),
    principalOf: (userId) => readPrincipal(runtime, userId),
    asOperator: (name) => operatorActions(runtime, name),
    on: subscriptions.on,
    events: (options) => followLog(runtime, options),
    statistics: () => ({
      operations: runtime.outcomes.list(),
      sessionChecks: sessions.statistics(),
      passwords: passwordQueue(),
      database: { ...load },
      rateLimits: { shared: rateLimits.areShared() },
      webhooks: { ...webhooks.counts },
      auditLog: alarm.lag(),
      authenticatorMetadata: metadata?.state() ?? null,
    }),
    isReady: async () => {
      const { pending, problem } = await readSchemaState(runtime.db);
      if (pending.length > 0 || problem !== null) return false;
      // Throws `unavailable` if the server is a standby. The read of the migrations also succeeds on a
      // standby.
      await runtime.db.query(requirePrimary);
      return true;
    },
    close: async () => {
      watches.close();
      runtime.bursts.end();
      await Promise.all([
        housekeeping.stop(),
        webhooks.stop(),
        sequencer?.stop(),
        witness?.stop(),
        alarm.stop(),
        metadata?.stop(),
      ]);
      await Promise.all([recordBursts(runtime), uses.flush()]);
      await subscriptions.finish();
      await runtime.logProgress.close();
      rateLimits.close();
      refusalLogOf(runtime).flush();
      await sessions.close();
      await adapter.close?.();
      unwatch();
    },
  };
  // TypeScript cannot derive the types of the own fields in the sessions and users that `auth` returns.
  const service = { ...auth, userFields: options.userFields ?? {} } as unknown as AuthService<
    Extra | OfRoles,
    Fields
  >;
  runtimes.set(service, runtime);
  return service;
}
