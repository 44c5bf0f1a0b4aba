import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Operator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { violatesUnique } from '../../db/sql-states.ts';
import { hashNewPassword } from '../../password/operations/hash-new.ts';
import { linkLifetimeSeconds, recoveryLink, type StoredLinkRow } from '../../recovery/link.ts';
import { deleteCodes, deleteLink, putLink } from '../../recovery/store.ts';
import { deleteSessionsOf } from '../../sessions/store/ending.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { onCurrentVersion, overtaken } from '../../users/current-version.ts';
import { canonicalUsername } from '../../users/rules.ts';
import {
  claimVersionToRedefine,
  insertUser,
  selectSuperadmins,
  type UserRow,
  userFromRow,
} from '../../users/store.ts';
import { newUserHandle } from '../../users/user-handle.ts';
import type { Bootstrap, Bootstrapped } from '../bootstrap.ts';
import { claimBootstrap, reclaimBootstrap } from '../store.ts';
import { event, type Opening, readOpening } from './read-opening.ts';

/**
 * Makes the first superadmin, with a password or with a link to make a passkey with. It happens once: deleting them
 * later does not open it again, unless that is asked for and no active superadmin is left. As long as nobody has been
 * able to get into the account, because the link was lost, it can be done over, and the account is made anew.
 *
 * @throws AuthError `already_bootstrapped` | `username_unacceptable` | `username_taken` | `password_unacceptable`
 */
export async function bootstrap(
  runtime: Runtime,
  operator: Operator,
  { username: given, password, again = false }: Bootstrap,
): Promise<Bootstrapped> {
  const { username, problem } = canonicalUsername(given);
  if (problem === 'invalid') throw new AuthError('username_unacceptable', { reason: problem });
  // Before the work of hashing, and before anything is said about the password.
  await readOpening(runtime, operator, again);
  const passwordHash = password === undefined ? null : await hashNewPassword(runtime, username, password);
  const person = { username, passwordHash };
  try {
    return await onCurrentVersion(async () => {
      const opening = await readOpening(runtime, operator, again);
      return opening.state === 'unfinished'
        ? redefineSuperadmin(runtime, operator, person, opening)
        : makeSuperadmin(runtime, operator, person, opening);
    });
  } catch (error) {
    if (!violatesUnique(error, 'username')) throw error;
    return refuse(runtime, operator, { event, code: 'username_taken', reason: 'username_taken' });
  }
}

interface Person {
  username: string;
  passwordHash: string | null;
}

type MadeRow = UserRow & (StoredLinkRow | { usable_at: null });

async function makeSuperadmin(
  runtime: Runtime,
  operator: Operator,
  person: Person,
  opening: Exclude<Opening, { state: 'unfinished' }>,
): Promise<Bootstrapped | typeof overtaken> {
  const { username, passwordHash } = person;
  const id = uuid();
  const account = {
    id,
    username,
    displayName: null,
    userHandle: newUserHandle(),
    role: 'superadmin',
    passwordHash,
  } as const;
  const token = newSessionToken();
  const [row] = await runtime.db.query<MadeRow>(sql`
    with superadmin as (${selectSuperadmins}),
      claimed as (${
        opening.state === 'again'
          ? reclaimBootstrap(opening.earlierId, id, sql`and ${noActiveSuperadmin}`)
          : claimBootstrap(id, sql`where ${noSuperadmin}`)
      }),
      account as (${insertUser(account, from('claimed'))}),
      link as (${linkOf(id, token, passwordHash)}),
      entry as (${recordEvent(operator, entryOf(id, person, opening.state === 'again'), from('account'))})
    select account.*, link.usable_at, link.expires_at from account left join link on true`);
  return row ? bootstrapped(runtime, row, person, token) : overtaken;
}

const noSuperadmin = sql`not exists (select 1 from superadmin)`;
const noActiveSuperadmin = sql`not exists (select 1 from superadmin where status = 'active')`;

/** Gives the account its new name and password in place of the old; what the old link has opened ends. */
async function redefineSuperadmin(
  runtime: Runtime,
  operator: Operator,
  person: Person,
  { id, version }: Extract<Opening, { state: 'unfinished' }>,
): Promise<Bootstrapped | typeof overtaken> {
  const token = newSessionToken();
  const [row] = await runtime.db.query<MadeRow>(sql`
    with account as (${claimVersionToRedefine(id, version, person, sql``)}),
      ended as (${deleteSessionsOf(id, andExists('account'))}),
      codes as (${deleteCodes(id, andExists('account'))}),
      link as (${linkOf(id, token, person.passwordHash)}),
      entry as (${recordEvent(operator, entryOf(id, person, false), from('account'))})
    select account.*, link.usable_at, link.expires_at from account left join link on true`);
  return row ? bootstrapped(runtime, row, person, token) : overtaken;
}

/** With a password there is no link, and an earlier one is void. */
const linkOf = (userId: string, token: string, passwordHash: string | null): Sql =>
  passwordHash === null
    ? putLink(
        {
          userId,
          tokenHash: hashToken(token),
          makerId: null,
          // No user has signed in to this account yet, so no one needs time to cancel.
          delaySeconds: 0,
          lifetimeSeconds: linkLifetimeSeconds,
        },
        from('account'),
      )
    : deleteLink(userId, andExists('account'));

const entryOf = (id: string, { username, passwordHash }: Person, again: boolean) =>
  ({
    event,
    outcome: 'success',
    target: { type: 'user', id, name: username },
    details: { method: passwordHash === null ? 'passkey' : 'password', again },
  }) as const;

const bootstrapped = (
  runtime: Runtime,
  row: MadeRow,
  { passwordHash }: Person,
  token: string,
): Bootstrapped => ({
  user: userFromRow(row),
  link: passwordHash === null && row.usable_at !== null ? recoveryLink(runtime, token, row) : null,
});
