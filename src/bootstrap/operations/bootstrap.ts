import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Operator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { CreatedAccount } from '../../core/sign-up.ts';
import { highestRole } from '../../core/user.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { violatesUnique } from '../../db/sql-states.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { hashNewPassword } from '../../password/operations/hash-new.ts';
import { linkLifetimeSeconds, recoveryLink, type StoredLinkRow } from '../../recovery/link.ts';
import { deleteCodes, deleteLink, putLink } from '../../recovery/store.ts';
import { deleteSessionsOf } from '../../sessions/store/ending.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { applicationStatement, explainStatementError } from '../../sign-up/application-statement.ts';
import { canonicalUsername } from '../../users/rules.ts';
import { retryIfSkeletonTaken } from '../../users/skeleton-conflict.ts';
import { claimVersionForUsernameAndPassword } from '../../users/store/versions.ts';
import {
  insertUser,
  lacksRequired,
  selectSuperadmins,
  type UserRow,
  userFromRow,
} from '../../users/store.ts';
import { newUserHandle } from '../../users/user-handle.ts';
import type { BootstrapOptions, BootstrapResult } from '../bootstrap.ts';
import { claimBootstrap, reclaimBootstrap } from '../store.ts';
import { type BootstrapPlan, event, planBootstrap } from './plan-bootstrap.ts';

/**
 * Creates the first superadmin, with a password or with a link to add a passkey. Later calls are refused, even if the
 * account was deleted. Two exceptions:
 *
 * - If the account has no password and no passkey, for example because the link was lost, the call resets the account.
 * - With the option `again`, the call creates another superadmin if no active superadmin is left.
 *
 * @throws AuthError `already_bootstrapped` | `username_unacceptable` | `username_taken` | `password_unacceptable`
 */
export async function bootstrap(
  runtime: Runtime,
  operator: Operator,
  { username: given, password, again = false }: BootstrapOptions,
): Promise<BootstrapResult> {
  const { username, problem } = canonicalUsername(given, runtime.config.usernames);
  if (problem === 'invalid') throw new AuthError('username_unacceptable', { reason: problem });
  // An early check, because hashing the password is slow.
  await planBootstrap(runtime, operator, again);
  const passwordHash = password === undefined ? null : await hashNewPassword(runtime, username, password);
  const credentials = { username, passwordHash };
  try {
    return await retryVersionConflicts(async () => {
      const plan = await planBootstrap(runtime, operator, again);
      const result =
        plan.state === 'unfinished'
          ? resetSuperadmin(runtime, operator, credentials, plan)
          : createSuperadmin(runtime, operator, credentials, plan);
      // The CTE `claimed` returns no row if a concurrent call was faster.
      return result.catch((error) => (lacksRequired(error) ? versionConflict : retryIfSkeletonTaken(error)));
    });
  } catch (error) {
    if (!violatesUnique(error, 'username')) throw explainStatementError(runtime, error);
    return refuse(runtime, operator, { event, code: 'username_taken', reason: 'username_taken' });
  }
}

interface Credentials {
  username: string;
  passwordHash: string | null;
}

type SuperadminRow = UserRow & (StoredLinkRow | { usable_at: null });

async function createSuperadmin(
  runtime: Runtime,
  operator: Operator,
  credentials: Credentials,
  plan: Exclude<BootstrapPlan, { state: 'unfinished' }>,
): Promise<BootstrapResult | typeof versionConflict> {
  const { username, passwordHash } = credentials;
  const id = uuid();
  const account = {
    id,
    username,
    displayName: null,
    userHandle: newUserHandle(),
    role: highestRole,
    passwordHash,
    requires: 'claimed',
  } as const;
  const token = newSessionToken();
  const [row] = await runtime.db.query<SuperadminRow>(sql`
    with superadmin as (${selectSuperadmins}),
      claimed as (${
        plan.state === 'again'
          ? reclaimBootstrap(plan.previousId, id, sql`and ${noActiveSuperadmin}`)
          : claimBootstrap(id, sql`where ${noSuperadmin}`)
      }),
      account as (${insertUser(account)}),
      ${applicationStatement(runtime, { user: publicPart(account), fields: {}, invitation: null })}
      link as (${putOrDeleteLink(id, token, passwordHash)}),
      entry as (${recordEvent(operator, auditEntry(id, credentials, plan.state === 'again'), from('account'))})
    select account.*, link.usable_at, link.expires_at from account left join link on true`);
  return row ? toBootstrapped(runtime, row, credentials, token) : versionConflict;
}

const publicPart = ({ id, username, displayName, role }: CreatedAccount['user']) => ({
  id,
  username,
  displayName,
  role,
});

const noSuperadmin = sql`not exists (select 1 from superadmin)`;
const noActiveSuperadmin = sql`not exists (select 1 from superadmin where status = 'active')`;

/**
 * Gives the unfinished account the new username and the new password or link. Ends sessions that an old link opened.
 */
async function resetSuperadmin(
  runtime: Runtime,
  operator: Operator,
  credentials: Credentials,
  { id, version }: Extract<BootstrapPlan, { state: 'unfinished' }>,
): Promise<BootstrapResult | typeof versionConflict> {
  const token = newSessionToken();
  const [row] = await runtime.db.query<SuperadminRow>(sql`
    with account as (${claimVersionForUsernameAndPassword(id, version, credentials, sql``)}),
      ended as (${deleteSessionsOf(id, andExists('account'))}),
      codes as (${deleteCodes(id, andExists('account'))}),
      link as (${putOrDeleteLink(id, token, credentials.passwordHash)}),
      entry as (${recordEvent(operator, auditEntry(id, credentials, false), from('account'))})
    select account.*, link.usable_at, link.expires_at from account left join link on true`);
  return row ? toBootstrapped(runtime, row, credentials, token) : versionConflict;
}

/** Creates a link if the account has no password. Otherwise deletes the earlier link. */
const putOrDeleteLink = (userId: string, token: string, passwordHash: string | null): Sql =>
  passwordHash === null
    ? putLink(
        {
          userId,
          tokenHash: hashToken(token),
          creatorId: null,
          // No delay. A delay gives the user time to cancel the link, but no user has signed in to this account yet.
          delaySeconds: 0,
          lifetimeSeconds: linkLifetimeSeconds,
        },
        from('account'),
      )
    : deleteLink(userId, andExists('account'));

const auditEntry = (id: string, { username, passwordHash }: Credentials, again: boolean) =>
  ({
    event,
    outcome: 'success',
    target: { type: 'user', id, name: username },
    details: { method: passwordHash === null ? 'passkey' : 'password', again },
  }) as const;

const toBootstrapped = (
  runtime: Runtime,
  row: SuperadminRow,
  { passwordHash }: Credentials,
  token: string,
): BootstrapResult => ({
  user: userFromRow(row),
  link: passwordHash === null && row.usable_at !== null ? recoveryLink(runtime, token, row) : null,
});
