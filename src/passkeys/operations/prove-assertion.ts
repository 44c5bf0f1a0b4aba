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
import {
  type CredentialRow,
  selectCounter,
  spendAndSelectCredential,
  storedCredentialFromRow,
} from '../store.ts';
import { type StoredCredential, type VerifiedAssertion, verifyAssertion } from '../verify-assertion.ts';

/** A person who has just proven to hold one of their passkeys. */
export interface Proof {
  user: User;
  passkeyId: string;
  assertion: VerifiedAssertion;
}

type AssertionCeremony = Extract<Ceremony, { kind: 'login' | 'stepup' }>;

/**
 * Proves an assertion: spend the challenge and read the credential in one round trip, then verify. Every refusal is
 * written down and answered alike, save for a login whose passkey its own account has no more.
 *
 * @throws AuthError `authentication_failed`
 */
export async function verifyAuthenticationCeremony(
  runtime: Runtime,
  actor: Actor,
  credential: AuthenticationResponseJSON,
  kind: AssertionCeremony['kind'],
): Promise<Proof> {
  const event = `passkey.${kind}` as const;
  const refuseWith = (refusal: Omit<RefusedCeremony, 'event' | 'code'> & { event?: AuditEventName }) =>
    refuse(runtime, actor, { event, code: 'authentication_failed', ...refusal });

  const opened = openCeremony(runtime, actor, credential.response.clientDataJSON, [kind]);
  if (!opened) return refuseWith({ reason: 'challenge_unknown_or_expired' });
  const [row] = await runtime.db.query<{ nonce: string | null } & CredentialRow & UserRow>(
    spendAndSelectCredential(opened.nonce, credential.id, credential.response.userHandle ?? null),
  );
  if (!row?.nonce) return refuseWith({ reason: 'challenge_spent' });
  if (opened.fault) return refuseWith({ reason: opened.fault });
  const { ceremony, clientData } = opened;
  // By what was read alone: how far the verification comes differs between an unknown credential and somebody else's.
  const isUnknown = kind === 'login' && mayRevealUnknown(row.holder_id, row.passkey_id && row.user_id);
  const publicReason = isUnknown ? 'unknown_credential' : undefined;
  const verify = (against: StoredCredential) =>
    verifyAssertion(credential, clientData, against, isUsernameless(ceremony), runtime.config);
  if (!row.passkey_id) {
    // So that it takes as long as a known one would.
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
  } catch (error) {
    return refuseWith({ ...refusalReason(error), publicReason, target });
  }

  const proven: ActorName = user;
  if (!counterAdvanced(stored.counter, assertion.counter)) {
    return refuseWith({ event: 'passkey.clone_suspected', reason: 'counter_not_increased', target, proven });
  }
  // Only now: whoever cannot prove the passkey learns nothing about the account's status.
  if (user.status !== 'active') return refuseWith({ reason: 'user_disabled', target, proven });
  return { user, passkeyId: row.passkey_id, assertion };
}

/**
 * Refuses where the statement that uses a proof gave no row: the passkey was asserted faster with no lower a counter,
 * which only a copy of it does, or the passkey, the account's standing or the session is gone.
 */
export async function refuseOvertaken(
  runtime: Runtime,
  actor: Actor,
  { user, passkeyId, assertion }: Proof,
  event: AuditEventName,
): Promise<never> {
  const [passkey] = await runtime.db.query<Pick<CredentialRow, 'counter'>>(selectCounter(passkeyId));
  const copied = passkey !== undefined && !counterAdvanced(Number(passkey.counter), assertion.counter);
  return refuse(runtime, actor, {
    event: copied ? 'passkey.clone_suspected' : event,
    code: 'authentication_failed',
    reason: copied ? 'counter_not_increased' : 'overtaken',
    target: { type: 'passkey', id: passkeyId, name: user.username },
    proven: user,
  });
}

const isUsernameless = (ceremony: AssertionCeremony) =>
  ceremony.kind === 'login' && ceremony.username === null;

/** 7.2 step 6: the credential must belong to the user that the ceremony began with, where it began with one. */
function assertOwner(ceremony: AssertionCeremony, user: User): void {
  const theirs =
    ceremony.kind === 'stepup' ? ceremony.userId === user.id : ceremony.username === user.username;
  if (!theirs && !isUsernameless(ceremony)) throw new CeremonyError('credential_of_another_user');
}
