import type { Impersonator, Session } from 'latchkey/client';

/** How the user authenticated, such as "a passkey". */
export const methodNames: Record<Session['method'], string> = {
  passkey: 'a passkey',
  password: 'a password',
  recovery_code: 'a recovery code',
  assisted_recovery: 'a recovery link',
  impersonation: 'impersonation',
};

/** The name of the user or the operator who uses an impersonated session. */
export const impersonatorName = ({ type, name }: Impersonator): string =>
  type === 'operator' ? `${name} (operator)` : name;
