import { randomUUID } from 'node:crypto';
import { recordRefusal } from '../../audit/operations/record-refusal.ts';
import { recordEvent } from '../../audit/store.ts';
import { isOperator, type Operator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { from, sql } from '../../db/sql.ts';
import { violatesUnique } from '../../db/sql-states.ts';
import { retryVersionConflicts, type versionConflict } from '../../db/version-conflict.ts';
import { insertImportedPasskeys } from '../../passkeys/store/imported.ts';
import { hashNewPassword } from '../../password/operations/hash-new.ts';
import { linkLifetimeSeconds, recoveryLink, type StoredLinkRow } from '../../recovery/link.ts';
import type { RecoveryLink } from '../../recovery/recovery.ts';
import { putLink } from '../../recovery/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { applicationStatement, explainStatementError } from '../../sign-up/application-statement.ts';
import { assertUsernameAllowed } from '../../users/operations.ts';
import { canonicalUsername } from '../../users/rules.ts';
import { retryIfSkeletonTaken } from '../../users/skeleton-conflict.ts';
import { insertUser, type UserRow, userFromRow } from '../../users/store.ts';
import type { Candidate, Obstacle } from '../candidate.ts';
import { checkRecord } from '../check-record.ts';
import type { NewUserRequest } from '../new-user.ts';
import { parseRecord } from '../record-schema.ts';
import { reservedInBatch } from '../reserved.ts';
import { decide } from '../rules.ts';
import { readTaken } from './store-users.ts';

const event = 'user.create';

/** A new user with all own fields. */
export interface StoredUser {
  user: User;
  fields: Candidate['account']['fields'];
  link: RecoveryLink | null;
}

/**
 * Creates a user for an operator. One statement creates the account, its passkeys, the link and the audit event, and runs
 * the statement of `signUp.after`. Records a refusal in the audit log.
 *
 * @throws AuthError `username_unacceptable` | `username_taken` | `password_unacceptable` | `invalid_request` |
 *   `passkey_already_registered`
 * @throws TypeError for a role other than `user` and `admin`, unknown properties and values of the wrong form
 */
export async function createUser(
  runtime: Runtime,
  by: Entitled<'user:manage'>,
  request: NewUserRequest,
): Promise<StoredUser> {
  const { actor } = by;
  if (!isOperator(actor)) throw new AuthError('forbidden');
  try {
    return await create(runtime, actor, request);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const { username, problem } = canonicalUsername(request.username, runtime.config.usernames);
    // An invalid username can contain control characters, so the audit log does not record it.
    const target = { type: 'user', id: null, name: problem === 'invalid' ? null : username } as const;
    return recordRefusal(runtime, actor, { event, target }, error);
  }
}

async function create(
  runtime: Runtime,
  actor: Operator,
  { password, recoveryLink: wantsLink = false, ...given }: NewUserRequest,
): Promise<StoredUser> {
  if (typeof wantsLink !== 'boolean') throw new TypeError('recoveryLink: expected true or false');
  const candidate = await checkRequest(runtime, {
    ...given,
    ...(typeof password === 'string' ? {} : { password }),
  });
  const { username } = candidate.account;
  await assertCredentialsFree(runtime, actor, candidate);
  if (typeof password === 'string')
    candidate.account.password_hash = await hashNewPassword(runtime, username, password);
  const token = wantsLink ? newSessionToken() : null;
  try {
    const row = await retryVersionConflicts(() =>
      insert(runtime, actor, candidate, token).catch((error): typeof versionConflict => {
        if (runtime.config.lookAlikes === 'refuse') throw error;
        return retryIfSkeletonTaken(error);
      }),
    );
    const link = token !== null && row.usable_at !== null ? recoveryLink(runtime, token, row) : null;
    return { user: userFromRow(row), fields: candidate.account.fields, link };
  } catch (error) {
    throw conflictOf(error) ?? explainStatementError(runtime, error);
  }
}

/** The properties of an import record that a new user cannot have. */
const onlyOfImports = ['status', 'sourceId'];

/** @throws TypeError | AuthError `username_unacceptable` | `invalid_request` */
async function checkRequest(runtime: Runtime, given: object): Promise<Candidate> {
  for (const name of onlyOfImports)
    if (name in given) throw new TypeError(`users.create: ${name}: only imports have this property`);
  const parsed = parseRecord(given);
  if ('fault' in parsed)
    throw new TypeError(`users.create: ${parsed.fault.path || 'the user'}: ${parsed.fault.message}`);
  // Throws the errors of a sign-up, which describe the rules for usernames.
  await assertUsernameAllowed(runtime, parsed.user.username, null);
  const checked = await checkRecord(runtime, parsed.user);
  if ('candidate' in checked) return checked.candidate;
  const { reason, path, message } = checked.obstacle;
  if (reason === 'role_not_allowed' || reason === 'invalid_record')
    throw new TypeError(`users.create: ${path}: ${message}`);
  throw invalid(checked.obstacle);
}

/** The audit log contains the reason of the obstacle. */
const invalid = ({ reason, path, message }: Obstacle): AuthError =>
  new AuthError('invalid_request', { detail: reason, errors: [{ path, message }] });

/** @throws AuthError `passkey_already_registered` | `invalid_request` for a user handle of another user */
async function assertCredentialsFree(
  runtime: Runtime,
  operator: Operator,
  candidate: Candidate,
): Promise<void> {
  if (candidate.passkeys.length === 0) return;
  const taken = await readTaken(runtime, operator, [candidate], { source: '', importId: randomUUID() });
  const [decision] = decide([candidate], taken, reservedInBatch(null), 'allow');
  if (decision?.kind !== 'refuse') return;
  if (decision.obstacle.reason === 'passkey_taken') throw new AuthError('passkey_already_registered');
  if (decision.obstacle.reason === 'user_handle_taken') throw invalid(decision.obstacle);
}

type CreatedRow = UserRow & (StoredLinkRow | { usable_at: null });

async function insert(
  runtime: Runtime,
  operator: Operator,
  { account, passkeys }: Candidate,
  token: string | null,
): Promise<CreatedRow> {
  const { id, username, display_name: displayName, role, fields } = account;
  const { lookAlikes } = runtime.config;
  const user = { id, username, displayName, role };
  const newUser = {
    ...user,
    userHandle: account.user_handle,
    passwordHash: account.password_hash,
    fields,
    createdAt: account.created_at,
    lookAlikes,
  };
  const link = {
    userId: id,
    tokenHash: hashToken(token ?? ''),
    creatorId: null,
    // No delay. A delay gives the user time to cancel the link, but no user has signed in to this account yet.
    delaySeconds: 0,
    lifetimeSeconds: linkLifetimeSeconds,
  };
  const entry = {
    event,
    outcome: 'success',
    target: { type: 'user', id, name: username },
    details: {
      role,
      password: account.password_hash !== null,
      recoveryLink: token !== null,
      // Erasing the user finds the events of these passkeys.
      ...(passkeys.length > 0 && { passkeyIds: passkeys.map((passkey) => passkey.id).join(',') }),
    },
  } as const;
  const [row] = await runtime.db.query<CreatedRow>(sql`
    with account as (${insertUser(newUser)}),
      ${applicationStatement(runtime, { user, fields, invitation: null })}
      ${passkeys.length > 0 ? sql`passkey as (${insertImportedPasskeys(passkeys)}),` : sql``}
      ${token === null ? sql`` : sql`link as (${putLink(link, from('account'))}),`}
      entry as (${recordEvent(operator, entry, from('account'))})
    select account.*, ${
      token === null
        ? sql`null::timestamptz as usable_at from account`
        : sql`link.usable_at, link.expires_at from account left join link on true`
    }`);
  if (!row) throw new Error('the statement that creates a user returned no row');
  return row;
}

/** Returns the error for a value that another account has. Null: the statement failed for another reason. */
function conflictOf(error: unknown): AuthError | null {
  if (violatesUnique(error, 'username')) return new AuthError('username_taken');
  if (violatesUnique(error, 'skeleton'))
    return new AuthError('username_unacceptable', { reason: 'look_alike' });
  if (violatesUnique(error, 'credential_id')) return new AuthError('passkey_already_registered');
  return violatesUnique(error, 'user_handle')
    ? invalid({
        reason: 'user_handle_taken',
        path: 'userHandle',
        message: 'another user has this user handle',
      })
    : null;
}
