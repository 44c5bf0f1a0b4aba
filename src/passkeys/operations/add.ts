import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { bounds } from '../../core/bounds.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { cancelRecoveriesOf } from '../../recovery/cancel-recoveries.ts';
import { lifetimesOf } from '../../sessions/lifetimes.ts';
import { refuseUnprivileged, selectSessionToAddPasskey } from '../../sessions/session-checks.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { renewSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { sealCeremony } from '../ceremony.ts';
import { creationOptions } from '../options.ts';
import type { NewlyAddedPasskey } from '../passkey.ts';
import { mayUpgrade } from '../rules.ts';
import {
  type AccountPasskeyRow,
  descriptorsFromRows,
  insertPasskey,
  type PasskeyRow,
  passkeyFromRow,
  selectOfAccount,
} from '../store.ts';
import { additionEntry, addVerifiedPasskey } from './add-verified-passkey.ts';
import { requireAllowed } from './check-authenticator.ts';
import type { RegistrationFinish } from './verify-registration-ceremony.ts';

export interface AdditionStart {
  /**
   * Whether the browser adds the passkey without a prompt. If true, the session must be a full session whose last
   * authentication was with a password.
   */
  conditional?: boolean | undefined;
  /** In a recovery session: the ids of the passkeys that the user keeps. */
  keepPasskeys?: readonly string[] | undefined;
}

/**
 * Starts adding a passkey. The options exclude the account's passkeys, so that an authenticator cannot create a second
 * passkey for the account.
 *
 * In a recovery session, the options exclude only the passkeys that the user keeps. The other passkeys will be removed,
 * so their authenticators can create the new passkey.
 *
 * @throws AuthError `not_authenticated` if the account no longer exists
 * @throws AuthError `too_many_passkeys` | `recovery_session` | `forbidden`
 */
export async function startAddPasskey(
  runtime: Runtime,
  actor: SignedInActor,
  { conditional = false, keepPasskeys = [] }: AdditionStart = {},
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const isRecovery = actor.session.kind === 'recovery';
  if (conditional && !mayUpgrade(actor.session))
    throw new AuthError(isRecovery ? 'recovery_session' : 'forbidden');
  const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(actor.user.id));
  const [account] = rows;
  if (!account) throw new AuthError('not_authenticated');
  // A recovery removes at least one passkey of an account that has the largest number.
  if (!isRecovery && rows.length >= bounds.passkeys) throw new AuthError('too_many_passkeys');
  const excluded = rows.filter(({ passkey_id }) => !isRecovery || keepPasskeys.includes(`${passkey_id}`));
  const kind = conditional ? 'upgrade' : 'add';
  const challenge = sealCeremony(runtime, actor, { kind, userId: actor.user.id });
  const user = { ...actor.user, userHandle: account.user_handle };
  const userVerification = conditional ? 'preferred' : 'required';
  return creationOptions(runtime.config, challenge, user, descriptorsFromRows(excluded), userVerification);
}

export interface AddedPasskey {
  passkey: NewlyAddedPasskey;
  /** The actor's session with a new token, if the passkey is now its method of authentication. Otherwise null. */
  opened: OpenedSession | null;
}

/**
 * Finishes adding a passkey in a full session, and cancels all unfinished recoveries of the account.
 *
 * The statement writes only if the account's version is unchanged, and increments the version. The statement that
 * completes a recovery does the same. So if the two statements run at the same time, only one succeeds: either this
 * statement cancels the recovery, or the recovery ends this session and the new passkey is rejected.
 *
 * The same check of the version keeps concurrent requests from exceeding the largest number of passkeys.
 *
 * The authenticator has verified the user. So if the session was authenticated with a password, the passkey
 * becomes its method of authentication, and the session gets a new token. A passkey that was created without
 * a prompt does not change the session.
 *
 * @throws AuthError `registration_failed` | `passkey_already_registered` | `too_many_passkeys` | `not_authenticated`
 * @throws AuthError `authenticator_not_allowed` if the policy of the service excludes the authenticator
 * @throws AuthError `passkey_required` if another session has added the first passkey
 */
export function finishAddPasskey(
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
): Promise<AddedPasskey> {
  const { user, session } = actor;
  const token = newSessionToken();
  const { idleSeconds } = lifetimesOf('full', user.role, runtime.config, actor.request);
  const event = 'passkey.add';
  const target = { type: 'user', id: user.id, name: user.username } as const;
  return addVerifiedPasskey(runtime, actor, finish, (passkey) => {
    const renewedId = session.method !== 'passkey' && !passkey.conditional ? session.id : null;
    return retryVersionConflicts(async () => {
      const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(user.id));
      const [account] = rows;
      if (!account) return null;
      if (rows.length >= bounds.passkeys) {
        const code = 'too_many_passkeys';
        return refuse(runtime, actor, { event, code, reason: code, target });
      }
      // The statement claims the version that was read together with the role.
      await requireAllowed(runtime, actor, passkey, account.role, { event, target });
      const [row] = await runtime.db.query<AddedRow>(sql`
        with live as (${selectSessionToAddPasskey(actor)}),
          claimed as (${claimVersion(user.id, account.version, andExists('live'))}),
          passkey as (${insertPasskey(passkey, from('claimed'))}),
          ${cancelRecoveriesOf(user.id, andExists('claimed'))},
          session as (${renewSession(renewedId, token, { method: 'passkey', passkeyId: passkey.id }, idleSeconds, andExists('claimed'))}),
          entry as (${recordEvent(actor, additionEntry(passkey), from('claimed'))})
        select live.id as live_id, passkey.*, session.*
        from (select 1 as one) as one
        left join live on true
        left join passkey on true
        left join session on true`);
      // Checks the passkey before `live`, because the in-memory database evaluates `live` after the insert.
      if (!row || row.passkey_id === null)
        return row?.live_id ? versionConflict : refuseUnprivileged(runtime, actor, { event, target });
      const opened = row.session_id === null ? null : openedFromRow(row, token);
      const currentId = opened ? passkey.id : null;
      return {
        passkey: { ...passkeyFromRow(row, currentId), hasDefaultLabel: passkey.hasDefaultLabel },
        opened,
      };
    });
  });
}

type AddedRow = { live_id: string | null } & (PasskeyRow | { passkey_id: null }) &
  (OpenedSessionRow | { session_id: null });
