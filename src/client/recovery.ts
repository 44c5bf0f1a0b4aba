import { createPasskey } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { expectParts, type Send } from './requests.ts';
import { signalAccepted } from './signals.ts';
import type { CompletedRecovery, Passkey, RecoveryCodes, RecoveryCodesStatus, SignedIn } from './types.ts';

/** Which credentials of the account to keep. Completing the recovery removes all others. */
export interface CompleteRecoveryOptions {
  /** The ids of passkeys to keep, from `passkeys.list()`. Default: none. */
  keepPasskeys?: readonly string[] | undefined;
  /** Whether to keep the password. Default: false. */
  keepPassword?: boolean | undefined;
  /** The new passkey's name, 1 to 64 characters. Default: its provider's name. */
  label?: string | undefined;
  /** Cancels the prompt: the call rejects with `ceremony_canceled`. Has no effect after the prompt is answered. */
  signal?: AbortSignal | undefined;
}

/**
 * Restores access to an account whose passkeys are lost, with a recovery code or a recovery link from an admin.
 *
 * Both open a session of kind `recovery`, which can only restore access: `complete` creates a new passkey and removes
 * the credentials that the user no longer has.
 */
export interface RecoveryClient {
  /** Returns how many recovery codes the account has and how many are unused. */
  codes(): Promise<RecoveryCodesStatus>;
  /** Creates new codes, which are shown only once and replace all earlier codes. Needs fresh authentication. */
  generateCodes(): Promise<RecoveryCodes>;
  /** Revokes all recovery codes. Needs fresh authentication. */
  revokeCodes(): Promise<void>;
  /**
   * Uses a single-use recovery code and opens a recovery session. Case, spaces and hyphens do not matter.
   *
   * @throws AuthClientError `authentication_failed`, for every cause | `rate_limited` | …
   */
  useCode(given: { username: string; code: string }): Promise<SignedIn>;
  /**
   * Uses the single-use token of a recovery link, `https://…/recover#token=…`, and opens a recovery session.
   *
   * @throws AuthClientError `authentication_failed`, for every cause | `recovery_link_waiting`, with
   *   `retryAfterSeconds`: the link does not work yet | `rate_limited` | …
   */
  useLink(token: string): Promise<SignedIn>;
  /**
   * Completes a recovery in a recovery session: creates a new passkey, removes every other passkey and the password
   * unless they are kept, replaces all recovery codes, ends every session, and signs in.
   *
   * @throws AuthClientError `invalid_request` if a passkey to keep does not belong to the account |
   *   `not_authenticated` or `authentication_failed` if the recovery is no longer valid: start again |
   *   `ceremony_canceled` | …
   * @example
   * const { recoveryCodes } = await auth.recovery.complete({ keepPasskeys: [phone.id] });
   */
  complete(options?: CompleteRecoveryOptions): Promise<CompletedRecovery>;
  /**
   * Cancels the recovery link that another user or an operator created for this account (`recoveryLink` of
   * `session()`) and ends the recovery session that it opened. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` if there is no valid link
   */
  cancelLink(): Promise<void>;
}

export const recoveryClient = (send: Send): RecoveryClient => ({
  async codes() {
    const answer = await send('GET', '/recovery/codes');
    return expectParts<RecoveryCodesStatus>(answer, 'total', 'remaining', 'generatedAt', 'expiresAt');
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
