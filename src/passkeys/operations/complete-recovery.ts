import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import { andExists, from, join, raw, type Sql, sql } from '../../db/sql.ts';
import type { Timestamp } from '../../db/timestamp.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { deleteLinksTo } from '../../impersonation-links/store.ts';
import { codesGeneratedEntry, newRecoveryCodes, toRecoveryCodes } from '../../recovery/generated-codes.ts';
import {
  creatorOf,
  type LinkCreator,
  mayCreatorHelp,
  selectCreatorEntitled,
} from '../../recovery/link-creator.ts';
import type { RecoveryCodes } from '../../recovery/recovery.ts';
import {
  deleteCodesExcept,
  deleteLink,
  deleteLinkOfSession,
  insertCodes,
  type LinkCreatorRow,
  selectCreatorOfSession,
} from '../../recovery/store.ts';
import { deleteSessionsExcept } from '../../sessions/store/ending.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { insertSession, lockLiveSession, selectLiveSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { recordSignIn } from '../../users/store/sign-ins.ts';
import { claimVersionToEndSessions } from '../../users/store/versions.ts';
import { lockActive, selectUser, type UserRow, userFromRow } from '../../users/store.ts';
import type { NewlyAddedPasskey } from '../passkey.ts';
import { deletePasskeys, insertPasskey, type PasskeyRow, passkeyFromRow, selectByUser } from '../store.ts';
import { type Addition, additionEntry, addVerifiedPasskey } from './add-verified-passkey.ts';
import { requireAllowed } from './check-authenticator.ts';
import type { RegistrationFinish } from './verify-registration-ceremony.ts';

/** The sign-in methods that the user keeps. The recovery removes all other sign-in methods. */
export interface KeptSignInMethods {
  /** The ids of passkeys of the actor's account. */
  keepPasskeys: readonly string[];
  keepPassword: boolean;
}

export interface CompletedRecovery {
  passkey: NewlyAddedPasskey;
  opened: OpenedSession;
  recoveryCodes: RecoveryCodes;
}

/**
 * Completes a recovery with a new passkey. Removes the sign-in methods that the user does not keep (ASVS 6.4.3),
 * replaces all recovery codes, ends all sessions and opens a full session.
 *
 * If a recovery link opened the recovery session, the link must still exist and its creator must still have the right
 * to help the user.
 *
 * @throws AuthError `invalid_request` if a passkey to keep does not belong to the account
 * @throws AuthError `registration_failed` | `passkey_already_registered` | `not_authenticated`
 * @throws AuthError `authenticator_not_allowed` if the policy of the service excludes the authenticator
 * @throws AuthError `authentication_failed` if the creator of the link no longer has the right to help the user
 */
export async function completeRecovery(
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
  kept: KeptSignInMethods,
): Promise<CompletedRecovery> {
  await requireOwnPasskeys(runtime, actor, kept.keepPasskeys);
  return addVerifiedPasskey(runtime, actor, finish, (passkey) =>
    retryVersionConflicts(() => complete(runtime, actor, passkey, kept)),
  );
}

/** Runs before the verification of the ceremony, so that a request with a wrong id does not spend the challenge. */
async function requireOwnPasskeys(
  runtime: Runtime,
  actor: SignedInActor,
  passkeyIds: readonly string[],
): Promise<void> {
  if (passkeyIds.length === 0) return;
  const rows = await runtime.db.query<PasskeyRow>(selectByUser(actor.user.id));
  const owned = new Set(rows.map(({ passkey_id }) => passkey_id));
  const errors = passkeyIds.flatMap((id, index) =>
    owned.has(id)
      ? []
      : [{ path: `keepPasskeys.${index}`, message: 'expected the id of one of your passkeys' }],
  );
  if (errors.length > 0) throw new AuthError('invalid_request', { errors });
}

async function complete(
  runtime: Runtime,
  actor: SignedInActor,
  passkey: Addition,
  { keepPasskeys, keepPassword }: KeptSignInMethods,
): Promise<CompletedRecovery | null | typeof versionConflict> {
  const { session } = actor;
  // Reads the version first. If the account changes after this read, the statement below changes nothing.
  const [account] = await runtime.db.query<UserRow & { version: number; has_password: boolean }>(
    selectUser(actor.user.id),
  );
  if (!account) return null;
  const user = userFromRow(account);
  const creator = await readCreator(runtime, actor);
  if (creator === 'canceled') return null;
  if (creator !== null && !(await mayCreatorHelp(runtime, creator, user)))
    return refuseCreator(runtime, actor);
  const attempt = {
    event: 'recovery.complete',
    target: { type: 'user', id: user.id, name: user.username },
  } as const;
  await requireAllowed(runtime, actor, passkey, user.role, attempt);
  const passkeys = await runtime.db.query<PasskeyRow>(selectByUser(user.id));
  const removed = passkeys.filter(({ passkey_id }) => !keepPasskeys.includes(passkey_id));
  const removesPassword = account.has_password && !keepPassword;

  const token = newSessionToken();
  const opened = {
    user,
    token,
    kind: 'full',
    method: 'passkey',
    passkeyId: passkey.id,
    epoch: sql`claimed.session_epoch`,
  } as const;
  const codes = newRecoveryCodes(runtime, user.id);
  const target = { type: 'user', id: user.id, name: user.username } as const;
  const details = {
    method: session.method,
    keptPasskeys: passkeys.length - removed.length,
    removedPasskeys: removed.length,
    removedPassword: removesPassword,
  };
  const entries = [
    additionEntry(passkey),
    ...removed.map(
      ({ passkey_id: id, label: name }) =>
        ({ event: 'passkey.remove', outcome: 'success', target: { type: 'passkey', id, name } }) as const,
    ),
    ...(removesPassword ? [{ event: 'password.remove', outcome: 'success', target } as const] : []),
    codesGeneratedEntry(codes, user),
    { event: 'recovery.complete', outcome: 'success', target, details } as const,
  ];
  const [row] = await runtime.db.query<CompletionRow>(sql`
    with live_before as (${selectLiveSession(session.id)}),
      locked as (${lockActive(user.id, account.version)}),
      live as (${lockLiveSession(session.id, andExists('locked'))}),
      ${claimLink(runtime, creator, actor)},
      claimed as (${claimVersionToEndSessions(user.id, account.version, { keepPassword }, andExists('link'))}),
      ${
        removed.length === 0
          ? sql``
          : sql`removed as (${deletePasskeys(
              user.id,
              removed.map(({ passkey_id }) => passkey_id),
              andExists('claimed'),
            )}),`
      }
      passkey as (${insertPasskey(passkey, from('claimed'))}),
      ended as (${deleteSessionsExcept(token, user.id, andExists('claimed'))}),
      links as (${deleteLinksTo(user.id, andExists('claimed'))}),
      canceled_link as (${deleteLink(user.id, andExists('claimed'))}),
      deleted_codes as (${deleteCodesExcept(codes.stored.hashes, user.id, andExists('claimed'))}),
      codes as (${insertCodes(codes.stored, from('claimed'))}),
      session as (${insertSession(opened, actor, runtime.config, from('claimed'))}),
      signed_in as (${recordSignIn(user.id, opened.method, actor, 'session')}),
      ${join(entries.map((entry, n) => sql`${raw(`entry_${n}`)} as (${recordEvent(actor, entry, from('claimed'))})`))}
    select session.*, passkey.*, codes.codes_expire_at
    from live_before left join session on true left join passkey on true left join codes on true`);
  if (!row) return null;
  if (!row.passkey_id) return versionConflict;
  return {
    passkey: { ...passkeyFromRow(row, row.passkey_id), hasDefaultLabel: passkey.hasDefaultLabel },
    opened: openedFromRow(row, token),
    recoveryCodes: toRecoveryCodes(codes, row.codes_expire_at),
  };
}

type CompletionRow = PasskeyRow & OpenedSessionRow & { codes_expire_at: Timestamp | null };

/**
 * Reads the creator of the recovery link that opened the session. Null: a recovery code opened the session. `canceled`:
 * the link no longer exists.
 */
async function readCreator(
  runtime: Runtime,
  { user, session }: SignedInActor,
): Promise<LinkCreator | null | 'canceled'> {
  if (session.method !== 'assisted_recovery') return null;
  const [row] = await runtime.db.query<LinkCreatorRow>(selectCreatorOfSession(user.id, session.id));
  return row ? creatorOf(row) : 'canceled';
}

const refuseCreator = (runtime: Runtime, actor: SignedInActor): Promise<never> =>
  refuse(runtime, actor, {
    event: 'recovery.complete',
    code: 'authentication_failed',
    reason: 'creator_no_longer_entitled',
    target: { type: 'user', id: actor.user.id, name: actor.user.username },
  });

/**
 * The CTE `link` returns a row if the recovery is still allowed. It also deletes the recovery link, if a link opened
 * the session. The session is already locked: if it ends at the same moment, the link must stay, because no event would
 * record its deletion.
 */
const claimLink = (runtime: Runtime, creator: LinkCreator | null, { user, session }: SignedInActor): Sql =>
  creator === null
    ? sql`link as (select from live)`
    : sql`creator as (${selectCreatorEntitled(runtime, creator, user.id)}),
      link as (${deleteLinkOfSession(
        user.id,
        session.id,
        sql`${andExists('live')} ${andExists('creator')}`,
      )})`;
