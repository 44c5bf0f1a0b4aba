import type { Impersonator, Session } from 'latchkey/client';
import { t, texts } from './messages/text.ts';

/** How the user authenticated, such as "a passkey". In German in the dative, for sentences with "mit". */
export const methodNames = texts<Session['method']>({
  passkey: 'common.methodPasskey',
  password: 'common.methodPassword',
  recovery_code: 'common.methodRecoveryCode',
  assisted_recovery: 'common.methodRecoveryLink',
  impersonation: 'common.methodImpersonation',
});

/** The name of the user or the operator who uses an impersonated session. */
export const impersonatorName = ({ type, name }: Impersonator): string =>
  type === 'operator' ? t('common.operatorName', { name }) : name;
