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

/** The database that the settings name. */
export interface OpenDatabase {
  url: string;
  /** Whether it is the one under .latchkey/, which this program has started, or joined. */
  embedded: boolean;
  close(): Promise<void>;
}

/**
 * The database of the settings. In development, where they name none, it is the embedded one: the same that the example
 * server and `latchkey dev` run on.
 *
 * @throws ConfigurationError with every fault at once
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

/** The PostgreSQL under .latchkey/, which somebody else may have started. @throws EmbeddedPostgresError */
export async function joinEmbedded(): Promise<OpenDatabase> {
  const { startEmbeddedPostgres } = await import('latchkey/embedded');
  remark('No DATABASE_URL: using the embedded PostgreSQL under .latchkey/');
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
 * Opens the service for as long as the work takes, and closes it whatever comes of it.
 *
 * @param log where its warnings go: to stderr, unless there is a screen that they would smear
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
      // Nothing here is counted, so there is nothing to share.
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

/** Whoever the system says that sits here, and at which machine. */
export function operatorName(): string {
  const { username } = userInfo();
  return `${username}@${hostname()}`.replace(/\p{Cc}/gu, '').slice(0, 64) || 'operator';
}

/** A database without its password: `latchkey@localhost:5432/app`. */
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
