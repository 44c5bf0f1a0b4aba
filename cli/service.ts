import { hostname, userInfo } from 'node:os';
import {
  type AuthService,
  createAuthService,
  isProduction,
  type Logger,
  type OperatorActions,
  readConfiguration,
} from 'latchkey';
import { remark } from './output.ts';
import { printableLines } from './words/printable.ts';

/** The database in use. */
export interface OpenDatabase {
  url: string;
  /** Whether it is the embedded PostgreSQL under .latchkey/. */
  embedded: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database of DATABASE_URL. Without one, in development, opens the embedded PostgreSQL, which the example
 * server and `latchkey dev` use as well.
 *
 * @throws ConfigurationError with all invalid settings
 */
export async function openDatabase(): Promise<OpenDatabase> {
  const url = process.env.DATABASE_URL?.trim();
  if (url || isProduction()) {
    const { databaseUrl } = readConfiguration();
    return { url: databaseUrl ?? '', embedded: false, close: async () => {} };
  }
  readConfiguration({ database: {} });
  return joinEmbedded();
}

/** Starts the PostgreSQL under .latchkey/ or joins a running one. @throws EmbeddedPostgresError */
export async function joinEmbedded(): Promise<OpenDatabase> {
  const { startEmbeddedPostgres } = await import('latchkey/embedded');
  remark('DATABASE_URL is not set: using the embedded PostgreSQL under .latchkey/');
  const embedded = await startEmbeddedPostgres();
  return { url: embedded.url, embedded: true, close: () => embedded.stop() };
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
 * @param log where warnings go; by default to stderr, which would overwrite parts of a screen
 */
export async function withService<T>(
  work: (service: OpenService) => Promise<T>,
  log: Logger = warnings,
): Promise<T> {
  const database = await openDatabase();
  try {
    const auth = await createAuthService({
      database: database.url,
      migrate: database.embedded,
      // Redis only shares rate limits, which operator actions do not have.
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

/** The operator's name in the audit log: `user@host`. */
export function operatorName(): string {
  const { username } = userInfo();
  return `${username}@${hostname()}`.replace(/\p{Cc}/gu, '').slice(0, 64) || 'operator';
}

/** A database URL without its password: `latchkey@localhost:5432/app`. */
export function databaseLabel(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `${username ? `${decodeURIComponent(username)}@` : ''}${host}${pathname}`;
}

export const silence: Logger = { info: () => {}, warn: () => {}, error: () => {} };

const warnings: Logger = {
  info: () => {},
  warn: (_, message) => remark(`warning: ${printableLines(message)}`),
  error: (_, message) => remark(`error: ${printableLines(message)}`),
};
