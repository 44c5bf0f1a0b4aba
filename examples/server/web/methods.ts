import type { Session } from 'latchkey/client';

/** How the user authenticated, such as "a passkey". */
export const methodNames: Record<Session['method'], string> = {
  passkey: 'a passkey',
  password: 'a password',
  recovery_code: 'a recovery code',
  assisted_recovery: 'a recovery link',
};
