import { createPasskey } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { expectParts, type Send } from './requests.ts';
import { signalAccepted } from './signals.ts';
import type { CompletedRecovery, Passkey, RecoveryCodes, RecoveryCodesState, SignedIn } from './types.ts';

/** The ways in that the user still has. Everything else is removed when the recovery completes. */
export interface CompleteRecoveryOptions {
  /** The ids of passkeys to keep, as `passkeys.list()` gives them. Default: none. */
  keepPasskeys?: readonly string[] | undefined;
  /** Whether to keep the password. Default: false. */
  keepPassword?: boolean | undefined;
  /** 1 to 64 characters for the new passkey; its provider's name where absent. */
  label?: string | undefined;
  /** Aborts the prompt: the call throws `ceremony_cancelled`. No effect once the prompt is answered. */
  signal?: AbortSignal | undefined;
}

/**
 * The way back into an account whose passkeys are lost: a recovery code of the user, or a link from an admin.
 *
 * Either opens a session of kind `recovery`, which can only restore access: `complete` makes a new passkey and removes
 * what the user no longer has.
 */
export interface RecoveryClient {
  /** How many codes there are and are left; zeros and nulls where there are none. */
  codes(): Promise<RecoveryCodesState>;
  /** Makes new codes, which replace every earlier one and are shown once. Needs fresh authentication. */
  generateCodes(): Promise<RecoveryCodes>;
  /** Revokes all recovery codes. Needs fresh authentication. */
  revokeCodes(): Promise<void>;
  /**
   * Spends a code and opens a recovery session. Case, spaces and hyphens do not matter.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `rate_limited` | …
   */
  useCode(given: { username: string; code: string }): Promise<SignedIn>;
  /**
   * Spends the token of a recovery link, `https://…/recover#token=…`, and opens a recovery session.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `recovery_link_waiting`, with
   *   `retryAfterSeconds`: the link does not work yet | `rate_limited` | …
   */
  useLink(token: string): Promise<SignedIn>;
  /**
   * Completes a recovery: makes a new passkey, removes every passkey and the password unless they are kept, replaces
   * all recovery codes, ends every session, and signs in. Only in a recovery session.
   *
   * @throws AuthClientError `invalid_request` where a passkey to keep is not one of the account's | `not_authenticated`
   *   or `authentication_failed` where the recovery is void by now: start again | `ceremony_cancelled` | …
   * @example
   * const { recoveryCodes } = await auth.recovery.complete({ keepPasskeys: [phone.id] });
   */
  complete(options?: CompleteRecoveryOptions): Promise<CompletedRecovery>;
  /**
   * Cancels the recovery link that another user or an operator made for this account (`recoveryLink` of `session()`),
   * and ends any recovery that it opened. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` where there is no link any more
   */
  cancelLink(): Promise<void>;
}

export const recoveryClient = (send: Send): RecoveryClient => ({
  async codes() {
    const answer = await send('GET', '/recovery/codes');
    return expectParts<RecoveryCodesState>(answer, 'total', 'remaining', 'generatedAt', 'expiresAt');
  },
  async generateCodes() {
    const answer = await send('POST', '/recovery/codes/generate', { body: {} });
    return expectParts<RecoveryCodes>(answer, 'codes', 'total', 'expiresAt');
  },
  async revokeCodes() {
    await send('DELETE', '/recovery/codes/revoke');
  },
  async useCode({ username, code }) {
    const answer = await send('POST', '/recovery/codes/use', { body: { username, code } });
    return expectParts<SignedIn>(answer, 'user', 'session');
  },
  async useLink(token) {
    const answer = await send('POST', '/recovery/assisted/use', { body: { token } });
    return expectParts<SignedIn>(answer, 'user', 'session');
  },
  async complete({ keepPasskeys = [], keepPassword = false, label, signal } = {}) {
    const start = (aborted?: AbortSignal) => creationOptions(send, addPath, { keepPasskeys }, aborted);
    const credential = await createPasskey(start, signal);
    const body = { credential, label, keepPasskeys, keepPassword };
    const answer = await send('POST', addPath, { body });
    const { device, recoveryCodes } = expectParts<{ device: Passkey; recoveryCodes: RecoveryCodes }>(
      answer,
      'device',
      'recoveryCodes',
    );
    signalAccepted(send);
    return { passkey: device, recoveryCodes };
  },
  async cancelLink() {
    await send('DELETE', '/recovery/assisted');
  },
});
