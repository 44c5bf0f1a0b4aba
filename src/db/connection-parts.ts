import type { DatabaseSource } from './adapter.ts';

/** Where a database is, for messages. Never contains the password. A part that is not known is empty. */
export interface ConnectionParts {
  /** The host and the port, or several of them, separated by commas. */
  host: string;
  database: string;
  role: string;
}

const unknown: ConnectionParts = { host: '', database: '', role: '' };
const urlPattern = /^postgres(?:ql)?:\/\/(?:(?<role>[^:@/]*)[^@/]*@)?(?<hosts>[^/?]*)\/?(?<database>[^?]*)/;

/** Reads the parts of a URL, or of the options of a postgres.js client or a `pg` pool. */
export function connectionParts(source: DatabaseSource | null): ConnectionParts {
  if (typeof source === 'string') return partsOfUrl(source);
  const { options } = (source ?? {}) as { options?: ClientOptions };
  if (typeof options !== 'object' || options === null) return unknown;
  if (typeof options.connectionString === 'string') return partsOfUrl(options.connectionString);
  const hosts = [options.host].flat();
  const ports = [options.port].flat();
  return {
    host: hosts.map((host, index) => [host ?? 'localhost', ports[index] ?? 5432].join(':')).join(','),
    database: options.database ?? '',
    role: options.user ?? '',
  };
}

/** The options that the clients of both libraries keep. postgres.js keeps lists of hosts and ports. */
interface ClientOptions {
  connectionString?: unknown;
  host?: string | string[];
  port?: number | number[];
  database?: string;
  user?: string;
}

function partsOfUrl(url: string): ConnectionParts {
  const { role = '', hosts = '', database = '' } = urlPattern.exec(url)?.groups ?? {};
  return { host: hosts || 'localhost', database: decoded(database), role: decoded(role) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
