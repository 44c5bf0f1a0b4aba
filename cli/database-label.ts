import type { DatabaseSource } from 'latchkey';

const parts = /^postgres(?:ql)?:\/\/(?:(?<role>[^:@/]*)[^@/]*@)?(?<hosts>[^/?]*)\/?(?<database>[^?]*)/;

/** A database URL without the password, such as `accounts@localhost:5432/app`. A client is only named as such. */
export function databaseLabel(source: DatabaseSource): string {
  if (typeof source !== 'string') return 'the client of the configuration file';
  const { role = '', hosts = '', database = '' } = parts.exec(source)?.groups ?? {};
  return `${role ? `${decodeURIComponent(role)}@` : ''}${hosts}/${decodeURIComponent(database)}`;
}
