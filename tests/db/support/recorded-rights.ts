import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const fileOf = (version: number) => `tests/db/rights/${`${version}`.padStart(4, '0')}.json`;

/**
 * The rights that the package granted to the role of the service when a schema version was released. Null: no record.
 */
export const recordedRights = (version: number): string[] | null =>
  existsSync(fileOf(version)) ? JSON.parse(readFileSync(fileOf(version), 'utf8')) : null;

/** Never replaces a record, because a record must stay as the version created it. */
export function recordRights(version: number, rights: readonly string[]): void {
  if (!existsSync(fileOf(version))) writeFileSync(fileOf(version), `${JSON.stringify(rights, null, 2)}\n`);
}
