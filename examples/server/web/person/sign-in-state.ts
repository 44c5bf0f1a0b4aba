import type { AuditEvent, UserRecord } from 'latchkey/client';

/**
 * Whether a user can sign in, and why not. The first state that applies:
 *
 * - `disabled`: the account is disabled
 * - `recovering`: the user opened a recovery link and has not finished the recovery
 * - `no_way_in`: no passkey, no password and no recovery code
 * - `only_codes`: only recovery codes
 * - `refused`: the newest sign-in was refused
 * - `can`: nothing prevents the sign-in
 */
export type SignInState =
  | { kind: 'disabled' | 'no_way_in' | 'only_codes' | 'can' }
  | { kind: 'recovering'; since: string }
  | { kind: 'refused'; event: AuditEvent };

const signIns = ['passkey.login', 'password.login', 'recovery_code.use', 'recovery_link.use'];

/** @returns null if the caller cannot read how the user signs in */
export function signInStateOf(
  { user, details }: UserRecord,
  recent: readonly AuditEvent[],
): SignInState | null {
  if (user.status === 'disabled') return { kind: 'disabled' };
  if (details === null) return null;
  const { passkeys, hasPassword, recoveryCodesRemaining, recoveryLink } = details;
  if (recoveryLink?.usedAt) return { kind: 'recovering', since: recoveryLink.usedAt };
  if (passkeys.length === 0 && !hasPassword)
    return { kind: recoveryCodesRemaining > 0 ? 'only_codes' : 'no_way_in' };
  const last = recent.find(({ event }) => signIns.includes(event));
  return last?.outcome === 'failure' ? { kind: 'refused', event: last } : { kind: 'can' };
}

/** The reasons of refused sign-ins that the pages explain. */
export type KnownReason = (typeof knownReasons)[number];

const knownReasons = [
  'password_wrong',
  'no_password',
  'code_unknown',
  'code_used',
  'code_expired',
  'link_waiting',
] as const;

/** Why a sign-in was refused. `other`: the pages have no words for the reason. */
export const reasonOf = ({ details }: AuditEvent): KnownReason | 'other' =>
  knownReasons.find((reason) => reason === details.reason) ?? 'other';
