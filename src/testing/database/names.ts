import { randomBytes } from 'node:crypto';
import type { Sql as PostgresClient } from 'postgres';

/** The names of the databases that the test kit creates. The test kit deletes only databases with such names. */
export const copyName = (): string => `latchkey_kit_${randomBytes(8).toString('hex')}`;
export const unfinishedName = (): string => `latchkey_kit_unfinished_${randomBytes(8).toString('hex')}`;
export const templateName = (hash: string): string => `latchkey_kit_template_${hash.slice(0, 16)}`;
/** A copy that no test uses yet. Its name contains the hash of its template. */
export const spareName = (template: string): string =>
  `${sparesOf(template)}${randomBytes(8).toString('hex')}`;
export const sparesOf = (template: string): string => `${template.replace('_template_', '_spare_')}_`;
export const temporaryNames = '^latchkey_kit_(unfinished_)?[0-9a-f]{16}$';
export const templateNames = '^latchkey_kit_template_[0-9a-f]{16}$';

/** The first half of the keys of advisory locks: an arbitrary number. The second half is the hash of a name. */
export const lockSpace = 0x6c61746b;

/**
 * Locks a name until the connection ends or `unlock` is called. Each database of the test kit has a lock, so that other
 * processes do not delete it.
 */
export async function lock(admin: PostgresClient, name: string): Promise<void> {
  await admin`select pg_advisory_lock(${lockSpace}::int, hashtext(${name}))`;
}

export async function unlock(admin: PostgresClient, name: string): Promise<void> {
  await admin`select pg_advisory_unlock(${lockSpace}::int, hashtext(${name}))`;
}
