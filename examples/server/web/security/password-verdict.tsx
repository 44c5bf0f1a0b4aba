import { t } from '../messages/t.tsx';
import { passwordMinLength } from '../site-settings.ts';
import { Bad, Good } from '../ui/verdict.tsx';
import { lengthOf } from './password-length.ts';

interface PasswordVerdictProps {
  password: string;
  /** Why the service rejected the password. */
  fault: string | null;
  /** The form was submitted, so hints are shown as errors. */
  insist: boolean;
}

/** The message below the field for a new password. */
export function PasswordVerdict({ password, fault, insist }: PasswordVerdictProps) {
  if (fault) return <Bad>{fault}</Bad>;
  switch (lengthOf(password, passwordMinLength)) {
    case 'short':
      return insist ? (
        <Bad>{t('security.passwordTooShort', { count: passwordMinLength })}</Bad>
      ) : (
        t('security.passwordMinimum', { count: passwordMinLength })
      );
    case 'long':
      return <Bad>{t('security.passwordTooLong')}</Bad>;
    default:
      return <Good>{t('security.passwordLongEnough')}</Good>;
  }
}
