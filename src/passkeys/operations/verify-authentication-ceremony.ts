import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { AuditEventName } from '../../audit/event-names.ts';
import { refuse } from '../../audit/operations/refuse.ts';
import type { ActorName } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { type Ceremony, openCeremony } from '../ceremony.ts';
import { decoyStoredCredential } from '../decoys.ts';
import { CeremonyError, type RefusedCeremony, refusalReason } from '../refusal.ts';
import { counterAdvanced, mayRevealUnknown } from '../rules.ts';
import { passkeyOfModel } from '../store/models.ts';
import {
  type CredentialRow,
  selectCounter,
  spendAndSelectCredential,
  storedCredentialFromRow,
} from '../store.ts';
import { type StoredCredential, type VerifiedAssertion, verifyAssertion } from '../verify-assertion.ts';

import { findObstacle, refusalOf } from './check-authenticator.ts';

/** The user who authenticated, with the passkey and its verified assertion. */
export interface VerifiedAuthentication {
  user: User;
  passkeyId: string;
  assertion: VerifiedAssertion;
}

type AssertionCeremony = Extract<Ceremony, { kind: 'login' | 'stepup' }>;

/**
 * Verifies an authentication ceremony (WebAuthn Level 3, section 7.2). Before the verification, one round trip spends
 * the challenge and reads the credential.
 *
 * The audit log records each failure. Every failure returns the same error, with three exceptions. If a user signs in with
 * a passkey that the account no longer has, the error has the reason `unknown_credential`. If the assertion is valid but
 * the account is disabled, a sign-in returns `account_disabled`. With `authenticators.checkSignIns`, a valid assertion of a
 * passkey that the policy excludes returns `authenticator_not_allowed`.
 *
 * @throws AuthError `authentication_failed` | `account_disabled` | `authenticator_not_allowed`
 */
export async function verifyAuthenticationCeremony(
  runtime: Runtime,
  actor: Actor,
  credential: AuthenticationResponseJSON,
  kind: AssertionCeremony['kind'],
): Promise<VerifiedAuthentication> {
  const event = `passkey.${kind}` as const;
  const refuseWith = (
    refusal: Omit<RefusedCeremony, 'event' | 'code'> & Partial<Pick<RefusedCeremony, 'event' | 'code'>>,
  ) => refuse(runtime, actor, { event, code: 'authentication_failed', ...refusal });

  const opened = openCeremony(runtime, actor, credential.response.clientDataJSON, [kind]);
  if (opened.nonce === null) return refuseWith({ reason: opened.mismatch });
  const [row] = await runtime.db.query<{ nonce: string | null } & CredentialRow & UserRow>(
    spendAndSelectCredential(opened.nonce, credential.id, credential.response.userHandle ?? null),
  );
  if (!row?.nonce) return refuseWith({ reason: 'challenge_spent' });
  if (opened.mismatch) return refuseWith({ reason: opened.mismatch });
  const { ceremony, clientData } = opened;
  // This value must not depend on the result of the verification. Otherwise, callers could find out which credential
  // ids belong to other accounts.
  const { userHandle } = credential.response;
  const ownerId = row.passkey_id && row.user_id;
  const revealsUnknown = kind === 'login' && mayRevealUnknown(row.holder_id, ownerId, userHandle);
  const publicReason = revealsUnknown ? 'unknown_credential' : undefined;
  const verify = (against: StoredCredential) =>
    verifyAssertion(credential, clientData, against, isUsernameless(ceremony), runtime.config);
  if (!row.passkey_id) {
    // Verifies a decoy, so that the response time does not reveal that the credential is unknown.
    await verify(decoyStoredCredential).catch(() => null);
    return refuseWith({ reason: 'credential_unknown', publicReason });
  }

  const user = userFromRow(row);
  const target = { type: 'passkey', id: row.passkey_id, name: user.username } as const;
  const stored = storedCredentialFromRow(row);
  let assertion: VerifiedAssertion;
  try {
    assertion = await verify(stored);
    assertOwner(ceremony, user);
    // The user handle of another account must not become the user handle of this passkey.
    if (assertion.learnedUserHandle !== null && row.holder_id !== null && row.holder_id !== user.id)
      throw new CeremonyError('user_handle_mismatch');
  } catch (error) {
    // Any caller can send any credential id. The target is the user, so that the user sees the attempt.
    const owner = { type: 'user', id: user.id, name: user.username } as const;
    return refuseWith({ ...refusalReason(error), publicReason, target: owner });
  }

  const proven: ActorName = user;
  // Step 22.
  if (!counterAdvanced(stored.counter, assertion.counter)) {
    return refuseWith({ event: 'passkey.clone_suspected', reason: 'counter_not_increased', target, proven });
  }
  // Checked last, so that only a caller with the passkey can learn the account's status.
  if (user.status !== 'active') {
    const code = kind === 'login' ? 'account_disabled' : 'authentication_failed';
    return refuseWith({ code, reason: 'user_disabled', target, proven });
  }
  if (runtime.config.authenticators.checkSignIns) {
    const passkey = { ...passkeyOfModel(row), backupEligible: assertion.backupEligible };
    const obstacle = await findObstacle(runtime, passkey, user.role, 'sign_in');
    if (obstacle !== null) return refuseWith({ ...refusalOf(obstacle), target, proven });
  }
  return { user, passkeyId: row.passkey_id, assertion };
}

/**
 * Refuses a verified authentication whose statement returned no row. The cause is a concurrent change. If a concurrent
 * assertion stored the same or a higher counter, the passkey was probably cloned. In every other case, the passkey was
 * removed, the account was disabled or deleted, or the session ended.
 */
export async function refuseAfterConflict(
  runtime: Runtime,
  actor: Actor,
  { user, passkeyId, assertion }: VerifiedAuthentication,
  event: AuditEventName,
): Promise<never> {
  const [passkey] = await runtime.db.query<Pick<CredentialRow, 'counter'>>(selectCounter(passkeyId));
  const isClone = passkey !== undefined && !counterAdvanced(Number(passkey.counter), assertion.counter);
  return refuse(runtime, actor, {
    event: isClone ? 'passkey.clone_suspected' : event,
    code: 'authentication_failed',
    reason: isClone ? 'counter_not_increased' : 'concurrent_change',
    target: { type: 'passkey', id: passkeyId, name: user.username },
    proven: user,
  });
}

const isUsernameless = (ceremony: AssertionCeremony) =>
  ceremony.kind === 'login' && ceremony.username === null;

/** Steps 5 and 6: if the ceremony was started for one user, the credential must belong to that user. */
function assertOwner(ceremony: AssertionCeremony, user: User): void {
  const isOwner =
    ceremony.kind === 'stepup'
      ? ceremony.userId === user.id
      : [ceremony.username, ceremony.exact].includes(user.username);
  if (!isOwner && !isUsernameless(ceremony)) throw new CeremonyError('credential_of_another_user');
}
