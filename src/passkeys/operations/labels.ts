import type { Runtime } from '../../core/runtime.ts';
import { type PasskeyRow, selectByUser } from '../store.ts';

/** Returns the labels of a user's passkeys, by the id of the passkey. */
export async function labelsOfUser({ db }: Runtime, userId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<PasskeyRow>(selectByUser(userId));
  return new Map(rows.map(({ passkey_id, label }) => [passkey_id, label]));
}
