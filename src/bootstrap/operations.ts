import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { refuse } from '../audit/operations.ts';
import { recordEvent } from '../audit/store.ts';
import type { Operator } from '../core/actor.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { andExists, from, type Statement, sql, violatesUnique } from '../db/database.ts';
import type { Timestamp } from '../db/timestamp.ts';
import { countByUser } from '../passkeys/store.ts';
import { hashNewPassword } from '../password/operations/hash-new.ts';
import { linkLifetimeSeconds, recoveryLink } from '../recovery/link.ts';
import { deleteCodes, deleteLink, putLink } from '../recovery/store.ts';
import { deleteSessionsOf } from '../sessions/store.ts';
import { hashToken, newSessionToken } from '../sessions/token.ts';
import { onCurrentVersion, overtaken } from '../users/current-version.ts';
import { canonicalUsername } from '../users/rules.ts';
import {
  claimVersionToRedefine,
  insertUser,
  selectSuperadmins,
  selectUser,
  type UserRow,
  userFromRow,
} from '../users/store.ts';
import type { Bootstrap, Bootstrapped } from './bootstrap.ts';
import { claimBootstrap, selectBootstrapped } from './store.ts';

const event = 'superadmin.bootstrap';

/**
 * Makes the first superadmin, with a password or with a link to make a passkey with. It happens once: deleting them
 * later does not open it again. As long as nobody has been able to get into the account, because the link was lost, it
 * can be done over, and the account is made anew.
 *
 * @throws AuthError `already_bootstrapped` | `username_unacceptable` | `username_taken` | `password_unacceptable`
 */
export async function bootstrap(
  runtime: Runtime,
  operator: Operator,
  { username: given, password }: Bootstrap,
): Promise<Bootstrapped> {
  const { username, problem } = canonicalUsername(given);
  if (problem === 'invalid') throw new AuthError('username_unacceptable', { reason: problem });
  // Before the work of hashing, and before anything is said about the password.
  await readUnfinished(runtime, operator);
  const passwordHash = password === undefined ? null : await hashNewPassword(runtime, username, password);
  const person = { username, passwordHash };
  try {
    return await onCurrentVersion(async () => {
      const unfinished = await readUnfinished(runtime, operator);
      return unfinished === null
        ? makeSuperadmin(runtime, operator, person)
        : redefineSuperadmin(runtime, operator, person, unfinished);
    });
  } catch (error) {
    if (!violatesUnique(error, 'username')) throw error;
    return refuse(runtime, operator, { event, code: 'username_taken', reason: 'username_taken' });
  }
}

interface Unfinished {
  id: string;
  version: number;
}

interface Person {
  username: string;
  passwordHash: string | null;
}

/**
 * The bootstrapped account, while nobody can have got into it; null where none was bootstrapped.
 *
 * @throws AuthError `already_bootstrapped`
 */
async function readUnfinished(runtime: Runtime, operator: Operator): Promise<Unfinished | null> {
  const [bootstrapped] = await runtime.db.query<{ bootstrapped_id: string }>(selectBootstrapped);
  if (!bootstrapped) {
    const superadmins = await runtime.db.query(selectSuperadmins);
    return superadmins.length === 0 ? null : refuseAgain(runtime, operator);
  }
  const { bootstrapped_id: id } = bootstrapped;
  const [account] = await runtime.db.query<
    UserRow & { version: number; has_password: boolean; passkeys: string }
  >(sql`
    with account as (${selectUser(id)}),
      passkey as (${countByUser(id)})
    select account.*, passkey.passkeys from account, passkey`);
  const isUnfinished =
    account?.role === 'superadmin' && !account.has_password && Number(account.passkeys) === 0;
  return isUnfinished ? { id, version: account.version } : refuseAgain(runtime, operator);
}

const refuseAgain = (runtime: Runtime, operator: Operator) =>
  refuse(runtime, operator, { event, code: 'already_bootstrapped', reason: 'already_bootstrapped' });

type MadeRow = UserRow & { expires_at: Timestamp | null };

async function makeSuperadmin(
  runtime: Runtime,
  operator: Operator,
  person: Person,
): Promise<Bootstrapped | typeof overtaken> {
  const { username, passwordHash } = person;
  const id = uuid();
  const account = {
    id,
    username,
    displayName: null,
    userHandle: randomBytes(64).toString('base64url'),
    role: 'superadmin',
    passwordHash,
  } as const;
  const token = newSessionToken();
  const [row] = await runtime.db.query<MadeRow>(sql`
    with superadmin as (${selectSuperadmins}),
      claimed as (${claimBootstrap(id, sql`where not exists (select 1 from superadmin)`)}),
      account as (${insertUser(account, from('claimed'))}),
      link as (${linkOf(id, token, passwordHash)}),
      entry as (${recordEvent(operator, entryOf(id, username, passwordHash), from('account'))})
    select account.*, link.expires_at from account left join link on true`);
  return row ? bootstrapped(runtime, row, person, token) : overtaken;
}

/** Gives the account its new name and password in place of the old; what the old link has opened ends. */
async function redefineSuperadmin(
  runtime: Runtime,
  operator: Operator,
  person: Person,
  { id, version }: Unfinished,
): Promise<Bootstrapped | typeof overtaken> {
  const { username, passwordHash } = person;
  const token = newSessionToken();
  const [row] = await runtime.db.query<MadeRow>(sql`
    with account as (${claimVersionToRedefine(id, version, person, sql``)}),
      ended as (${deleteSessionsOf(id, andExists('account'))}),
      codes as (${deleteCodes(id, andExists('account'))}),
      link as (${linkOf(id, token, passwordHash)}),
      entry as (${recordEvent(operator, entryOf(id, username, passwordHash), from('account'))})
    select account.*, link.expires_at from account left join link on true`);
  return row ? bootstrapped(runtime, row, person, token) : overtaken;
}

/** With a password there is no link, and an earlier one is void. */
const linkOf = (userId: string, token: string, passwordHash: string | null): Statement =>
  passwordHash === null
    ? putLink(
        { userId, tokenHash: hashToken(token), makerId: null, lifetimeSeconds: linkLifetimeSeconds },
        from('account'),
      )
    : deleteLink(userId, andExists('account'));

const entryOf = (id: string, username: string, passwordHash: string | null) =>
  ({
    event,
    outcome: 'success',
    target: { type: 'user', id, name: username },
    details: { method: passwordHash === null ? 'passkey' : 'password' },
  }) as const;

const bootstrapped = (
  runtime: Runtime,
  { expires_at: expiresAt, ...row }: MadeRow,
  { passwordHash }: Person,
  token: string,
): Bootstrapped => ({
  user: userFromRow(row),
  link: passwordHash === null && expiresAt !== null ? recoveryLink(runtime, token, expiresAt) : null,
});
