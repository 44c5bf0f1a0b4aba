import { expectParts, type Send } from './requests.ts';
import type { RecoveryCodes, RecoveryCodesState, SignedIn } from './types.ts';

/**
 * The way back into an account whose passkeys are lost: a code its owner has kept, or a link from an administrator.
 *
 * Either opens a session of kind `recovery`, which may only restore access: `passkeys.add` completes the recovery.
 */
export interface RecoveryClient {
  /** How many codes there are and are left; zeros and nulls where there are none. */
  codes(): Promise<RecoveryCodesState>;
  /**
   * Makes new codes and voids every earlier one. They are shown this once. Needs fresh authentication, or a
   * recovery session.
   */
  generateCodes(): Promise<RecoveryCodes>;
  /** Voids every code. Needs fresh authentication. */
  revokeCodes(): Promise<void>;
  /**
   * Spends a code. How it is written does not matter: neither case nor spaces nor hyphens.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `rate_limited` | …
   */
  useCode(given: { username: string; code: string }): Promise<SignedIn>;
  /**
   * Spends the token of an administrator's link, `https://…/recover#token=…`.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `rate_limited` | …
   */
  useLink(token: string): Promise<SignedIn>;
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
});
