/** Settings that the server writes into the HTML. */
const settingOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="latchkey-${name}"]`)?.content ?? '';

/** The configured origins. The main origin is first. */
export const origins = settingOf('origins').split(' ');

/** The minimum number of characters of a new password. */
export const passwordMinLength = Number(settingOf('password-min-length')) || 8;

/** Whether superadmins and operators can use the accounts of other users. */
export const impersonation = settingOf('impersonation') === 'on';

/** Who can sign up: `open`, `invitation` or `closed`. */
export const signUpMode = settingOf('sign-up-mode') || 'open';
