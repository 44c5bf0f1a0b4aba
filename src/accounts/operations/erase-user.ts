import {
  type ErasureRow,
  eraseFromDatabase,
  grantToErase,
  selectRightToErase,
} from '../../audit/store/retention.ts';
import { isOperator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { SchemaError } from '../../db/schema-error.ts';
import type { Entitled } from '../../roles/entitled.ts';
import type { Erasure } from '../erasure.ts';
import { deleteUser } from './delete-user.ts';

/** How many audit events one statement changes, so that it ends long before its time limit. */
const batch = 10_000;

/**
 * Erases a user (GDPR, Article 17). First deletes the account if it still exists. Then replaces the username, the IP
 * addresses and the browsers of the user in the audit log with a pseudonym, and removes everything but the id from the
 * user's row. The username stays taken like the username of any deleted account.
 *
 * Each statement is a separate mutation. If the call fails between two statements, another call completes the
 * erasure.
 *
 * @throws SchemaError `erasure_not_granted` before it changes anything, if the database role cannot erase users
 * @throws AuthError `not_found` | `last_superadmin` | `still_referenced`
 */
export async function eraseUser(
  runtime: Runtime,
  by: Entitled<'user:manage'>,
  userId: string,
): Promise<Erasure> {
  if (!isOperator(by.actor)) throw new AuthError('forbidden');
  if (!isUuid(userId)) throw new AuthError('not_found');
  await requireRightToErase(runtime);
  await deleteIfExists(runtime, by, userId);
  let events = 0;
  for (;;) {
    const [row] = await runtime.db.query<ErasureRow>(eraseFromDatabase(userId, by.actor, batch));
    if (!row?.erasure) throw new AuthError('not_found');
    const { pseudonym, finished, events: changed } = row.erasure;
    events += changed;
    if (finished) return confirmAnswer(runtime, { id: userId, pseudonym, events });
  }
}

/** Without this check, the call would delete the account and then fail to erase it. */
async function requireRightToErase(runtime: Runtime): Promise<void> {
  const [found] = await runtime.db.query<{ role: string; granted: boolean }>(selectRightToErase);
  if (!found || found.granted) return;
  throw new SchemaError(
    'erasure_not_granted',
    `The role ${found.role} cannot erase users. Nothing was changed. Use the role that owns the schema: set MIGRATION_DATABASE_URL for \`latchkey users erase\`. To let ${found.role} erase users, run as the owner: ${grantToErase(found.role)}`,
  );
}

async function deleteIfExists(runtime: Runtime, by: Entitled<'user:manage'>, userId: string): Promise<void> {
  try {
    await deleteUser(runtime, by, userId);
  } catch (error) {
    if (!(error instanceof AuthError && error.code === 'not_found')) throw error;
  }
}
