import { refuse } from '../../audit/operations/refuse.ts';
import type { Attempt } from '../../authorization/authorize.ts';
import type { Operator, SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { andExists, type Statement, sql } from '../../db/database.ts';
import { mayLoseAuthority, type SuperadminStanding } from '../../roles/rules.ts';
import { claimRoster, selectRoster } from '../../roles/store.ts';
import { countActiveSuperadmins, selectUser, type UserRow, userFromRow } from '../../users/store.ts';

/** A person, with what decides whether the service can do without them. */
export interface Standing extends SuperadminStanding {
  person: User;
  /** Of the account. */
  version: number;
  rosterVersion: number;
}

/** @throws AuthError `not_found` */
export async function readStanding(runtime: Runtime, userId: string): Promise<Standing> {
  const [row] = isUuid(userId)
    ? await runtime.db.query<UserRow & { version: number; roster_version: number; superadmins: string }>(sql`
        with person as (${selectUser(userId)}),
          roster as (${selectRoster}),
          superadmin as (${countActiveSuperadmins})
        select person.*, roster.roster_version, superadmin.superadmins from person, roster, superadmin`)
    : [];
  if (!row) throw new AuthError('not_found');
  const person = userFromRow(row);
  return {
    person,
    role: person.role,
    status: person.status,
    activeSuperadmins: Number(row.superadmins),
    version: row.version,
    rosterVersion: row.roster_version,
  };
}

/** Refuses where the service cannot do without a person. @throws AuthError `last_superadmin` */
export async function requireDispensable(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  standing: Standing,
  attempt: Attempt,
): Promise<void> {
  if (mayLoseAuthority(standing)) return;
  const code = 'last_superadmin';
  await refuse(runtime, actor, { ...attempt, code, reason: code });
}

/**
 * The part `cleared` of a statement that takes authority from somebody: it gives a row where that is still as it was
 * decided. Of a superadmin it claims the roster, so that of two who do this to each other one comes second.
 */
export const clearance = ({ role, rosterVersion }: Standing): Statement =>
  role === 'superadmin' ? claimRoster(rosterVersion, andExists('entitled')) : sql`select id from entitled`;
