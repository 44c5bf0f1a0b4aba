const parts = /^postgres(?:ql)?:\/\/(?:(?<role>[^:@/]*)[^@/]*@)?(?<hosts>[^/?]*)\/?(?<database>[^?]*)/;

export interface DatabaseParts {
  role: string;
  /** The host and the port, or several of them, separated by commas. */
  hosts: string;
  database: string;
}

/** Splits a database URL, which can have several hosts. Omits the password. */
export function partsOfDatabaseUrl(url: string): DatabaseParts {
  const { role = '', hosts = '', database = '' } = parts.exec(url)?.groups ?? {};
  return { role: decodeURIComponent(role), hosts, database: decodeURIComponent(database) };
}

/** A database URL without the password, such as `accounts@localhost:5432/app`. */
export function databaseLabel(url: string): string {
  const { role, hosts, database } = partsOfDatabaseUrl(url);
  return `${role ? `${role}@` : ''}${hosts}/${database}`;
}
