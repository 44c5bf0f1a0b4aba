import { type Actor, isOperator } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { restrictingForeignKey } from '../../db/sql-states.ts';
import { type Attempt, refuse } from './refuse.ts';

/**
 * Runs a statement that deletes a user or an organization. If a foreign key of the application's own tables prevents
 * the deletion, records the refusal in the audit log. Only an operator learns the name of the table.
 *
 * @throws AuthError `still_referenced`
 */
export async function refuseStillReferenced<T>(
  runtime: Runtime,
  actor: Actor,
  attempt: Attempt,
  remove: () => Promise<T>,
): Promise<T> {
  try {
    return await remove();
  } catch (error) {
    const key = restrictingForeignKey(error);
    if (key === null) throw error;
    const code = 'still_referenced';
    const message = isOperator(actor)
      ? `Rows of the table ${key.table} still reference it (foreign key ${key.constraint}).`
      : undefined;
    return refuse(runtime, actor, { ...attempt, code, reason: code, message, cause: error });
  }
}
