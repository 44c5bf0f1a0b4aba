import { hostname, userInfo } from 'node:os';
import {
  type AuthService,
  ConfigurationError,
  createAuthService,
  isProduction,
  type Logger,
  type OperatorActions,
  readConfiguration,
} from 'latchkey';
import { remark } from './output.ts';
import { printableLines } from './words/printable.ts';

export interface OpenDatabase {
  url: string;
  /** The URL of the role that owns the schema. Null: `url` is used instead. */
  ownerUrl: string | null;
  /** Whether this is the embedded PostgreSQL in .latchkey/. */
  embedded: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database in DATABASE_URL. In development without DATABASE_URL, opens the embedded PostgreSQL. The example
 * server and `latchkey dev` use the same embedded PostgreSQL.
 *
 * @throws ConfigurationError that lists all invalid settings
 */
async function openDatabase(): Promise<OpenDatabase> {
  const url = process.env.DATABASE_URL?.trim();
  if (url || isProduction()) {
    const { databaseUrl } = readConfiguration();
    return external(databaseUrl ?? '');
  }
  readConfiguration({ database: {} });
  return joinEmbedded();
}

/** Starts the embedded PostgreSQL in .latchkey/, or connects to it if it already runs. @throws EmbeddedPostgresError */
export async function joinEmbedded(): Promise<OpenDatabase> {
  const { startEmbeddedPostgres } = await import('latchkey/embedded');
  remark('DATABASE_URL is not set, using the embedded PostgreSQL in .latchkey/');
  const embedded = await startEmbeddedPostgres();
  const { url, ownerUrl } = embedded;
  return { url, ownerUrl, embedded: true, close: () => embedded.stop() };
}

const external = (url: string): OpenDatabase => ({
  url,
  ownerUrl: null,
  embedded: false,
  close: async () => {},
});

/**
 * Opens the database in MIGRATION_DATABASE_URL, whose role owns the schema. If it is not set, opens the same
 * database as `openDatabase`. Ignores faults in other settings, because a migration needs no other settings.
 *
 * @throws ConfigurationError if the URL is invalid or, in production, missing
 */
export async function openOwnedDatabase(): Promise<OpenDatabase> {
  const setting = process.env.MIGRATION_DATABASE_URL?.trim() ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  const url = process.env[setting]?.trim();
  if (!url && !isProduction()) return joinEmbedded();
  try {
    readConfiguration();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const faults = error.faults.filter((fault) => fault.setting === setting);
    if (faults.length > 0) throw new ConfigurationError(faults);
  }
  return external(url ?? '');
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
): Promise<T> => openService(openDatabase, ({ url }) => url, work, log);

/** Like `withService`, but with the rights of the role that owns the schema. */
export const withOwnedService = <T>(work: (service: OpenService) => Promise<T>): Promise<T> =>
  openService(openOwnedDatabase, ({ ownerUrl, url }) => ownerUrl ?? url, work, warnings);

async function openService<T>(
  open: () => Promise<OpenDatabase>,
  urlIn: (database: OpenDatabase) => string,
  work: (service: OpenService) => Promise<T>,
  log: Logger,
): Promise<T> {
  const database = await open();
  try {
    const auth = await createAuthService({
      database: urlIn(database),
      migrationDatabase: database.ownerUrl ?? undefined,
      migrate: database.embedded,
      // Redis is not needed. It stores only rate limits, and operator actions have no rate limits.
      redisUrl: '',
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
