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
        <Bad>Use at least {passwordMinLength} characters.</Bad>
      ) : (
        <>At least {passwordMinLength} characters. Longer is better.</>
      );
    case 'long':
      return <Bad>Too long. Use at most 128 characters.</Bad>;
    default:
      return <Good>Long enough.</Good>;
  }
}
