import { hostname, userInfo } from 'node:os';
import {
  type AuthService,
  ConfigurationError,
  createAuthService,
  type DatabaseSource,
  isProduction,
  type Logger,
  type OperatorActions,
  openSchema,
  readConfiguration,
  type SchemaState,
} from 'latchkey';
import { databaseLabel } from './database-label.ts';
import { remark } from './output.ts';
import { configuredOptions, environment, settingsFiles } from './settings.ts';
import { printableLines } from './words/printable.ts';

export interface OpenDatabase {
  source: DatabaseSource;
  /** The setting that `source` comes from, for messages: a variable, or `the option database`. */
  setting: string;
  /** The URL of the role that owns the schema. Null: `source` is used instead. */
  ownerUrl: string | null;
  /** Whether this is the embedded PostgreSQL in .latchkey/. */
  embedded: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database of the configuration file, or else the database in DATABASE_URL. If neither is set, opens the
 * embedded PostgreSQL in development. The example server and `latchkey dev` use the same embedded PostgreSQL.
 *
 * @throws ConfigurationError that lists all invalid settings
 */
async function openDatabase(): Promise<OpenDatabase> {
  const options = configuredOptions();
  const database = configuredDatabase();
  if (database === null && !isProduction(options)) {
    readConfiguration({ ...options, database: {} });
    return joinEmbedded();
  }
  const { databaseUrl } = readConfiguration(options);
  return external(options.database ?? databaseUrl ?? '', database?.setting);
}

/** Returns the database of the configuration file or DATABASE_URL. Does not check it. Null: neither is set. */
export function configuredDatabase(): Pick<OpenDatabase, 'source' | 'setting'> | null {
  const { database } = configuredOptions();
  if (database !== undefined) return { source: database, setting: 'the option database' };
  const url = environment().DATABASE_URL?.trim();
  return url ? { source: url, setting: 'DATABASE_URL' } : null;
}

/** Starts the embedded PostgreSQL in .latchkey/, or connects to it if it already runs. @throws EmbeddedPostgresError */
export async function joinEmbedded(): Promise<OpenDatabase> {
  const { startEmbeddedPostgres } = await import('latchkey/embedded');
  remark('DATABASE_URL is not set, using the embedded PostgreSQL in .latchkey/');
  const embedded = await startEmbeddedPostgres();
  const { url, ownerUrl } = embedded;
  const setting = 'the URL of the embedded PostgreSQL';
  return { source: url, setting, ownerUrl, embedded: true, close: () => embedded.stop() };
}

function external(source: DatabaseSource, setting = 'DATABASE_URL'): OpenDatabase {
  sayDatabase(source);
  return { source, setting, ownerUrl: null, embedded: false, close: async () => {} };
}

/** Prints which files were read and which database the command uses. With `--json`, scripts also parse stderr. */
function sayDatabase(source: DatabaseSource): void {
  const files = settingsFiles();
  if (files.length > 0 && !process.argv.includes('--json'))
    remark(`Settings from ${files.join(' and ')}. Database: ${databaseLabel(source)}`);
}

/**
 * Opens the database of `migrationDatabase` or MIGRATION_DATABASE_URL, whose role owns the schema. If neither is set,
 * opens the same database as `openDatabase`. Ignores faults in other settings, because a migration does not need them.
 *
 * @throws ConfigurationError if the URL is invalid or, in production, missing
 */
export async function openOwnedDatabase(): Promise<OpenDatabase> {
  const options = configuredOptions();
  const owned = ownedDatabase() ?? configuredDatabase();
  if (owned === null && !isProduction(options)) return joinEmbedded();
  const setting = owned?.setting ?? 'DATABASE_URL';
  assertValid(setting.replace('the option ', ''));
  return external(owned?.source ?? '', setting);
}

/** MIGRATION_DATABASE_URL belongs to DATABASE_URL. It does not apply if the configuration file has another database. */
function ownedDatabase(): Pick<OpenDatabase, 'source' | 'setting'> | null {
  const { database, migrationDatabase } = configuredOptions();
  if (migrationDatabase !== undefined)
    return { source: migrationDatabase, setting: 'the option migrationDatabase' };
  const url = database === undefined ? environment().MIGRATION_DATABASE_URL?.trim() : undefined;
  return url ? { source: url, setting: 'MIGRATION_DATABASE_URL' } : null;
}

/** @throws ConfigurationError with the faults of this setting */
function assertValid(setting: string): void {
  try {
    readConfiguration(configuredOptions());
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const faults = error.faults.filter((fault) => fault.setting === setting);
    if (faults.length > 0) throw new ConfigurationError(faults);
  }
}

export interface OpenService {
  auth: AuthService;
  operator: OperatorActions;
  operatorName: string;
  database: OpenDatabase;
}

/**
 * Opens the service for the duration of `work`.
 *
 * @param log receives warnings and errors. Default: prints them to stderr. The screens pass `silence`, because output
 *   on stderr would overwrite parts of the screen.
 */
export const withService = <T>(
  work: (service: OpenService) => Promise<T>,
  log: Logger = warnings,
): Promise<T> => openService(openDatabase, ({ source }) => source, work, log);

/** Like `withService`, but with the rights of the role that owns the schema. */
export const withOwnedService = <T>(work: (service: OpenService) => Promise<T>): Promise<T> =>
  openService(openOwnedDatabase, ({ ownerUrl, source }) => ownerUrl ?? source, work, warnings);

async function openService<T>(
  open: () => Promise<OpenDatabase>,
  sourceIn: (database: OpenDatabase) => DatabaseSource,
  work: (service: OpenService) => Promise<T>,
  log: Logger,
): Promise<T> {
  const database = await open();
  try {
    const source = sourceIn(database);
    // Throws an error that names the setting.
    await readSchema(source, database.setting);
    const auth = await createAuthService({
      ...configuredOptions(),
      database: source,
      migrationDatabase: database.ownerUrl ?? undefined,
      migrate: database.embedded,
      // Redis is not needed. It stores only rate limits, and operator actions have no rate limits.
      redis: undefined,
      redisUrl: '',
      webhookSender: false,
      // The sequencer starts after a second. A command usually ends before.
      auditSequencer: false,
      log,
    });
    try {
      const name = operatorName();
      return await work({ auth, operator: auth.asOperator(name), operatorName: name, database });
    } finally {
      await auth.close();
    }
  } finally {
    await database.close();
  }
}

/** @throws DatabaseError */
export async function readSchema(database: DatabaseSource, setting: string): Promise<SchemaState> {
  const schema = openSchema(database, { setting });
  try {
    return await schema.read();
  } finally {
    await schema.close();
  }
}

/** The operator's name in the audit log, in the form `user@host`. */
export function operatorName(): string {
  const { username } = userInfo();
  return `${username}@${hostname()}`.replace(/\p{Cc}/gu, '').slice(0, 64) || 'operator';
}

export const silence: Logger = { info: () => {}, warn: () => {}, error: () => {} };

const warnings: Logger = {
  info: () => {},
  warn: (_, message) => remark(`warning: ${printableLines(message)}`),
  error: (_, message) => remark(`error: ${printableLines(message)}`),
};
