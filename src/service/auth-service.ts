import { createSubscriptions } from '../audit/subscriptions.ts';
import type { CapabilityTable } from '../core/capability-table.ts';
import { type ConfigurationOptions, readConfiguration } from '../core/config.ts';
import { consoleLogger } from '../core/console-logger.ts';
import type { Database } from '../core/database.ts';
import type { Logger } from '../core/logger.ts';
import { createOutcomes } from '../core/outcomes.ts';
import type { Runtime } from '../core/runtime.ts';
import { createSealer } from '../core/sealing.ts';
import { createSigningKeys } from '../core/signing-keys.ts';
import { adapterFor, type DatabaseSource } from '../db/adapter.ts';
import { composeDatabase, type DatabaseLoad, withoutTimeout } from '../db/compose-database.ts';
import { watchHandedIn } from '../db/handed-in.ts';
import { assertSchemaCurrent, migrate, readSchemaState } from '../db/migrate.ts';
import { sessionCookieName } from '../http/cookies.ts';
import { type RateLimits, startRateLimits } from '../http/rate-limit.ts';
import { readPrincipal } from '../organizations/operations/memberships.ts';
import { passwordQueue } from '../password/hashing.ts';
import { withCapabilities } from '../roles/capabilities.ts';
import { canBy } from '../roles/rules.ts';
import { createSessionCache } from '../sessions/session-cache.ts';
import { checkUsernameAvailability } from '../users/operations.ts';
import { startHousekeeping } from './housekeeping.ts';
import { operatorActions } from './operator-actions.ts';
import { sessionOf } from './session-of.ts';
import type { AuthService } from './types.ts';

/** What `createAuthService` takes; everything may come from the environment instead. */
export interface AuthServiceOptions<Extra extends string = never>
  extends Omit<ConfigurationOptions, 'database'> {
  /**
   * DATABASE_URL, or what the application has made already: a postgres.js client, a `pg` pool, or any
   * `Database`. A client that is handed in stays the application's to close.
   */
  database?: DatabaseSource;
  /** Bring the schema up to date on start. Otherwise an outdated one is refused. */
  migrate?: boolean;
  /**
   * Capabilities of the application's own, beside the service's, for `requirePermission` and `auth.can`.
   *
   * @example { user: { 'report:read': 'joined' }, admin: { 'report:publish': 'managed' } }
   */
  capabilities?: CapabilityTable<Extra>;
  /** Where warnings and faults go: a pino logger fits. Default: warnings and errors to the console. */
  log?: Logger;
  /** This process's time, for the expiry of ceremonies; a test may turn it. */
  clock?: () => Date;
}

const runtimes = new WeakMap<object, Runtime>();

/** The runtime behind a service, for the router and guards. @throws TypeError for anything we did not make */
export function runtimeOf(auth: AuthService<string>): Runtime {
  const runtime = runtimes.get(auth);
  if (!runtime) throw new TypeError('expected what createAuthService returned');
  return runtime;
}

/**
 * Builds the service: reads the configuration, connects, checks or migrates the schema.
 *
 * @throws ConfigurationError listing every fault of the configuration at once
 * @throws TypeError for capabilities that are no table of them
 * @throws SchemaError where the schema is outdated (and `migrate` was not asked for), newer, or edited
 * @throws AuthError `unavailable` where the database cannot be reached
 * @example const auth = await createAuthService({ migrate: true });
 */
export async function createAuthService<const Extra extends string = never>(
  options: AuthServiceOptions<Extra> = {},
): Promise<AuthService<Extra>> {
  const capabilities = withCapabilities(options.capabilities);
  const config = readConfiguration(options);
  const log = options.log ?? consoleLogger;
  for (const warning of config.warnings) log.warn({}, warning);

  const load: DatabaseLoad = { pending: 0, succeeded: 0, failed: 0 };
  const database = options.database ?? config.databaseUrl;
  const adapter = adapterFor(database);
  const unwatch = watchHandedIn(database, log);
  const clock = options.clock ?? (() => new Date());
  const subscriptions = createSubscriptions(composeDatabase(adapter, { load }), log);
  const sessions = createSessionCache(adapter, clock, log);
  const runtime: Runtime = {
    config,
    log,
    db: composeDatabase(adapter, {
      load,
      publish: subscriptions.publish,
      invalidate: sessions.invalidate,
    }),
    sessions,
    outcomes: createOutcomes(),
    sealer: createSealer(config.secrets),
    signingKeys: createSigningKeys(config.secrets),
    capabilities,
    clock,
  };
  let rateLimits: RateLimits;
  try {
    if (options.migrate) await migrateWith(adapter, runtime);
    else await assertSchemaCurrent(runtime.db);
    rateLimits = await startRateLimits(runtime);
  } catch (error) {
    unwatch();
    await adapter.close?.();
    throw error;
  }

  const housekeeping = startHousekeeping(runtime);
  const auth: AuthService<Extra> = {
    config: {
      production: config.production,
      rpId: config.rpId,
      rpName: config.rpName,
      origins: config.origins,
      serverAddress: config.serverAddress,
      sessionCookieName: sessionCookieName(config),
    },
    users: { checkAvailability: (username) => checkUsernameAvailability(runtime, username) },
    sessionOf: (source, options) => sessionOf(runtime, source, options),
    can: (principal, capability, resource = {}) => canBy(capabilities, principal, capability, resource),
    principalOf: (userId) => readPrincipal(runtime, userId),
    asOperator: (name) => operatorActions(runtime, name),
    on: subscriptions.on,
    statistics: () => ({
      operations: runtime.outcomes.list(),
      sessionChecks: sessions.statistics(),
      passwords: passwordQueue(),
      database: { ...load },
    }),
    isReady: async () => {
      const { pending, problem } = await readSchemaState(runtime.db);
      return pending.length === 0 && problem === null;
    },
    close: async () => {
      await housekeeping.stop();
      await subscriptions.finish();
      rateLimits.close();
      await sessions.close();
      await adapter.close?.();
      unwatch();
    },
  };
  runtimes.set(auth, runtime);
  return auth;
}

/** A migration may take longer than a statement of a request may; its errors are told alike. */
async function migrateWith(adapter: Database, runtime: Runtime): Promise<void> {
  // Asked first through the limited port, so that a database that is not there fails fast.
  await readSchemaState(runtime.db);
  const applied = await migrate(withoutTimeout(adapter));
  if (applied.length > 0) runtime.log.info({ applied }, 'the database schema was migrated');
}
