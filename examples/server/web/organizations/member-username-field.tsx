import type { RefObject } from 'preact';
import { t } from '../messages/t.tsx';
import { Field } from '../ui/field.tsx';
import { Bad } from '../ui/verdict.tsx';

interface MemberUsernameFieldProps {
  name: string;
  value: string;
  onValue: (typed: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
  /** The form was submitted without a username. */
  isMissing: boolean;
}

/** The username of a user to invite or add. */
export const MemberUsernameField = ({ isMissing, ...props }: MemberUsernameFieldProps) => (
  <Field
    {...props}
    label={t('organizations.username')}
    autocomplete="off"
    verbatim
    maxLength={64}
    invalid={isMissing}
    message={isMissing && <Bad>{t('organizations.enterUsername')}</Bad>}
  />
);
