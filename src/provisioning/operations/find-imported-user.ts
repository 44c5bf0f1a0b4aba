import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { selectUserOfOrigin } from '../store.ts';

/** Returns the id of the user that was imported with this id of another system. @throws AuthError `not_found` */
export async function findImportedUser(
  { db }: Runtime,
  _by: Entitled<'user:read'>,
  { source, sourceId }: { source: string; sourceId: string },
): Promise<string> {
  const [row] = await db.query<{ user_id: string }>(selectUserOfOrigin(source, sourceId));
  if (!row) throw new AuthError('not_found');
  return row.user_id;
}
