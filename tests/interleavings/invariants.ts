import type { Backend } from './support/backend.ts';
import type { Effects } from './support/effects.ts';
import type { TraceEntry } from './support/meeting.ts';

/** What must be true after every schedule. Each query returns a row if it is not. */
const ofState: Record<string, string> = {
  'no active superadmin': `
    select 1 where not exists (select from latchkey.users where role = 'superadmin' and status = 'active')`,
  'an organization without an active admin': `
    select 1 from latchkey.organizations where not exists (
      select from latchkey.memberships join latchkey.users on users.id = user_id
      where organization_id = organizations.id and memberships.role = 'admin' and status = 'active')`,
  'an active user without a passkey or a password': `
    select 1 from latchkey.users
    where status = 'active' and password_hash is null
      and not exists (select from latchkey.passkeys where user_id = users.id)
      and not exists (select from latchkey.recovery_links where user_id = users.id)
      and not exists (select from latchkey.sessions where user_id = users.id and kind = 'recovery')`,
  'a session of a user who is not active': `
    select 1 from latchkey.sessions join latchkey.users on users.id = user_id
    where status <> 'active' and session_epoch in (epoch, -1 - epoch)`,
  'a recovery of a user who is not active': `
    select 1 from latchkey.recovery_links join latchkey.users on users.id = user_id where status <> 'active'`,
  'a member who is deleted': `
    select 1 from latchkey.memberships where not exists (select from latchkey.users where id = user_id)`,
};

const selectBroken = Object.entries(ofState)
  .map(([name, query]) => `(select '${name}' as name where exists (${query}))`)
  .join(' union all ');

export const brokenInvariants = (backend: Backend): Promise<string[]> => backend.namesOf(selectBroken);

/** Tables whose changes the audit log does not record: what only makes later requests cheaper, or refuses them. */
const unaudited = new Set([
  'spent_challenges',
  'user_ids',
  'user_sign_ins',
  'counted_sign_ins',
  'sign_in_hours',
  'last_active_hours',
  'active_user_counts',
  'user_figures',
]);

/** Whether a change of this table needs an audit event. Events themselves have names with a space. */
export const isAudited = (name: string): boolean => !name.includes(' ') && !unaudited.has(name);

/** What must be true for every statement. @returns the names of the broken rules */
export function brokenByStatement({ effects, cleans }: Pick<TraceEntry, 'effects' | 'cleans'>): string[] {
  if (cleans) return brokenByHousekeeping(effects, cleans);
  const changed = [...effects.keys()].filter(isAudited);
  const isRecorded = effects.has('event success') || effects.has('event failure');
  return changed.length > 0 && !isRecorded
    ? [`a change of ${changed.join(', ')} without an audit event`]
    : [];
}

/** Housekeeping must change only rows that have expired. */
const brokenByHousekeeping = (effects: Effects, cleans: Readonly<Record<string, number>>): string[] =>
  [...effects]
    .filter(([name, rows]) => (isAudited(name) || name in cleans) && rows > (cleans[name] ?? 0))
    .map(
      ([name, rows]) => `housekeeping changed ${rows} rows of ${name}, but ${cleans[name] ?? 0} have expired`,
    );
