import { refuse } from '../../audit/operations/refuse.ts';
import type { Operator } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { highestRole, type UserStatus } from '../../core/user.ts';
import { sql } from '../../db/sql.ts';
import { countByUser } from '../../passkeys/store.ts';
import { selectSuperadmins, selectUser, type UserRow } from '../../users/store.ts';
import type { BootstrapState } from '../bootstrap.ts';
import { selectBootstrapped } from '../store.ts';

export const event = 'superadmin.bootstrap';

/** Whether the first superadmin can be made. */
export const readBootstrapState = async (runtime: Runtime): Promise<BootstrapState> =>
  (await readStanding(runtime)).state;

/** `open`: none was bootstrapped. `unfinished`: one was, and nobody can have got into the account. */
type Standing =
  | { state: 'open' }
  | { state: 'unfinished'; id: string; version: number }
  /** `earlierId`: who was bootstrapped; null of superadmins who came into being otherwise. */
  | { state: 'done'; earlierId: string | null; anyActive: boolean };

async function readStanding(runtime: Runtime): Promise<Standing> {
  const superadmins = await runtime.db.query<{ status: UserStatus }>(selectSuperadmins);
  const anyActive = superadmins.some(({ status }) => status === 'active');
  const [row] = await runtime.db.query<{ bootstrapped_id: string }>(selectBootstrapped);
  if (!row)
    return superadmins.length === 0 ? { state: 'open' } : { state: 'done', earlierId: null, anyActive };
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
    : { state: 'done', earlierId: id, anyActive };
}

/** The id of the one who was bootstrapped before, where it is done again. */
export type Opening =
  | { state: 'open' }
  | { state: 'again'; earlierId: string }
  | Extract<Standing, { id: string }>;

/** What there is to begin with; that there is nothing is written down. @throws AuthError `already_bootstrapped` */
export async function readOpening(runtime: Runtime, operator: Operator, again: boolean): Promise<Opening> {
  const standing = await readStanding(runtime);
  if (standing.state !== 'done') return standing;
  const { earlierId, anyActive } = standing;
  if (again && !anyActive && earlierId !== null) return { state: 'again', earlierId };
  return refuse(runtime, operator, { event, code: 'already_bootstrapped', reason: 'already_bootstrapped' });
}
