import { createPasskey } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { expectParts, type Send } from './requests.ts';
import { signalAccepted } from './signals.ts';
import type { CompletedRecovery, NewPasskey, RecoveryCodes, RecoveryCodesStatus, SignedIn } from './types.ts';

/** Options of `recovery.complete`. Without options, the call removes every earlier passkey and the password. */
export interface CompleteRecoveryOptions {
  /** The ids of passkeys to keep, from `passkeys.list()`. Default: none. */
  keepPasskeys?: readonly string[] | undefined;
  /** Whether to keep the password. Default: false. */
  keepPassword?: boolean | undefined;
  /** The name of the new passkey, 1 to 64 characters. Default: the name of the passkey provider. */
  label?: string | undefined;
  /**
   * Closes the prompt, and the call rejects with `ceremony_canceled`. Has no effect after the user has answered the
   * prompt.
   */
  signal?: AbortSignal | undefined;
}

/**
 * Restores access to an account whose passkeys are lost. A recovery code or a recovery link opens a recovery session.
 * In this session, `complete` adds a new passkey. `complete` also removes the other passkeys and the password, unless
 * the user keeps them.
 */
export interface RecoveryClient {
  /** Returns how many recovery codes the account has and how many can still be used. */
  codes(): Promise<RecoveryCodesStatus>;
  /**
   * Creates new recovery codes, which replace all earlier codes and are shown only once. Needs fresh authentication.
   */
  generateCodes(): Promise<RecoveryCodes>;
  /** Revokes all recovery codes. Needs fresh authentication. */
  revokeCodes(): Promise<void>;
  /**
   * Uses a single-use recovery code and opens a recovery session. Ignores case, spaces and hyphens in the code.
   *
   * @throws AuthClientError `account_disabled` if the code is usable, but the account is disabled
   * @throws AuthClientError `authentication_failed`, for every other cause | `rate_limited` | …
   */
  useCode(given: { username: string; code: string }): Promise<SignedIn>;
  /**
   * Uses a single-use recovery link and opens a recovery session.
   *
   * @param token from the fragment of the link, `https://…/recover#token=…`
   * @throws AuthClientError `recovery_link_waiting`, with `retryAfterSeconds`, if the link cannot be used yet |
   *   `authentication_failed`, for every other cause | `rate_limited` | …
   */
  useLink(token: string): Promise<SignedIn>;
  /**
   * Completes the recovery in a recovery session. Adds a new passkey. Removes every other passkey and the password,
   * unless the options keep them. Replaces all recovery codes, ends all sessions and opens a full session.
   *
   * @throws AuthClientError `invalid_request` if a passkey to keep does not belong to the account |
   *   `ceremony_canceled` | `not_authenticated` or `authentication_failed` if the user must start the recovery again |
   *   …
   * @example
   * const { recoveryCodes } = await auth.recovery.complete({ keepPasskeys: [phone.id] });
   */
  complete(options?: CompleteRecoveryOptions): Promise<CompletedRecovery>;
  /**
   * Cancels the recovery link that another user or an operator created for this account, and ends the recovery session
   * that the link opened. `session()` returns the link as `recoveryLink`. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` if the account has no recovery link
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
    const finish = (credential: object) =>
      send('POST', addPath, { body: { credential, label, keepPasskeys, keepPassword } });
    const answer = await createPasskey(start, finish, signal);
    const { device, recoveryCodes } = expectParts<{ device: NewPasskey; recoveryCodes: RecoveryCodes }>(
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
