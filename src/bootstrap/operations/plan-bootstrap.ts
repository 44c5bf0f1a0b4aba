import { refuse } from '../../audit/operations/refuse.ts';
import type { Operator } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { highestRole, type UserStatus } from '../../core/user.ts';
import { sql } from '../../db/sql.ts';
import { countByUser } from '../../passkeys/store.ts';
import { selectSuperadmins, selectUser, type UserRow } from '../../users/store.ts';
import { selectBootstrapped } from '../store.ts';

export const event = 'superadmin.bootstrap';

/** The bootstrap state, with the account of the first superadmin. */
type BootstrapDetails =
  | { state: 'open' }
  | { state: 'unfinished'; id: string; version: number }
  /** `previousId`: the account of the last bootstrap. Null: a superadmin exists, but there was no bootstrap. */
  | { state: 'done'; previousId: string | null; hasActiveSuperadmin: boolean };

export async function readBootstrapDetails(runtime: Runtime): Promise<BootstrapDetails> {
  const superadmins = await runtime.db.query<{ status: UserStatus }>(selectSuperadmins);
  const hasActiveSuperadmin = superadmins.some(({ status }) => status === 'active');
  const [row] = await runtime.db.query<{ bootstrapped_id: string }>(selectBootstrapped);
  if (!row)
    return superadmins.length === 0
      ? { state: 'open' }
      : { state: 'done', previousId: null, hasActiveSuperadmin };
  const { bootstrapped_id: id } = row;
  const [account] = await runtime.db.query<
    UserRow & { version: number; has_password: boolean; passkeys: string }
  >(sql`
    with account as (${selectUser(id)}),
      passkey as (${countByUser(id)})
    select account.*, passkey.passkeys from account, passkey`);
  const isUnfinished =
    account?.role === highestRole &&
    account.status === 'active' &&
    !account.has_password &&
    Number(account.passkeys) === 0;
  return isUnfinished
    ? { state: 'unfinished', id, version: account.version }
    : { state: 'done', previousId: id, hasActiveSuperadmin };
}

/** `open`: create the first superadmin. `again`: create another superadmin. `unfinished`: reset the account. */
export type BootstrapPlan =
  | { state: 'open' }
  | { state: 'again'; previousId: string }
  | Extract<BootstrapDetails, { id: string }>;

/** Decides what `bootstrap` does. Records a refusal in the audit log. @throws AuthError `already_bootstrapped` */
export async function planBootstrap(
  runtime: Runtime,
  operator: Operator,
  again: boolean,
): Promise<BootstrapPlan> {
  const details = await readBootstrapDetails(runtime);
  if (details.state !== 'done') return details;
  const { previousId, hasActiveSuperadmin } = details;
  if (again && !hasActiveSuperadmin && previousId !== null) return { state: 'again', previousId };
  return refuse(runtime, operator, { event, code: 'already_bootstrapped', reason: 'already_bootstrapped' });
}
