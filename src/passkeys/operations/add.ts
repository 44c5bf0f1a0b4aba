import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { bounds } from '../../core/bounds.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { cancelRecoveriesOf } from '../../recovery/cancel-recoveries.ts';
import { selectLiveSession } from '../../sessions/store.ts';
import { claimVersion } from '../../users/store.ts';
import { sealCeremony } from '../ceremony.ts';
import { creationOptions } from '../options.ts';
import type { Passkey } from '../passkey.ts';
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

/**
 * Finishes adding a passkey in a full session, and cancels all unfinished recoveries of the account.
 *
 * The statement writes only if the account's version is unchanged, and increments the version. The statement that
 * completes a recovery does the same. So if the two statements run at the same time, only one succeeds: either this
 * statement cancels the recovery, or the recovery ends this session and the new passkey is rejected.
 *
 * The same check of the version keeps concurrent requests from exceeding the largest number of passkeys.
 *
 * @throws AuthError `registration_failed` | `passkey_already_registered` | `too_many_passkeys` | `not_authenticated`
 */
export function finishAddPasskey(
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
): Promise<Passkey> {
  const { user, session } = actor;
  return addVerifiedPasskey(runtime, actor, finish, (passkey) =>
    retryVersionConflicts(async () => {
      const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(user.id));
      const [account] = rows;
      if (!account) return null;
      if (rows.length >= bounds.passkeys) {
        const code = 'too_many_passkeys';
        const target = { type: 'user', id: user.id, name: user.username } as const;
        return refuse(runtime, actor, { event: 'passkey.add', code, reason: code, target });
      }
      const [row] = await runtime.db.query<PasskeyRow | { passkey_id: null }>(sql`
        with live as (${selectLiveSession(session.id)}),
          claimed as (${claimVersion(user.id, account.version, andExists('live'))}),
          passkey as (${insertPasskey(passkey, from('claimed'))}),
          ${cancelRecoveriesOf(user.id, andExists('claimed'))},
          entry as (${recordEvent(actor, additionEntry(passkey), from('claimed'))})
        select passkey.* from live left join passkey on true`);
      if (!row) return null;
      return row.passkey_id === null ? versionConflict : passkeyFromRow(row);
    }),
  );
}
