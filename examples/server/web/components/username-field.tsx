import type { Ref } from 'preact';
import { t } from '../messages/t.tsx';
import { Field } from '../ui/field.tsx';
import { Bad } from '../ui/verdict.tsx';

interface UsernameFieldProps {
  value: string;
  onValue: (value: string) => void;
  inputRef: Ref<HTMLInputElement>;
  /** The form was submitted without a username. */
  missing: boolean;
}

/** A field for the username of an existing account. */
export const UsernameField = ({ missing, ...field }: UsernameFieldProps) => (
  <Field
    {...field}
    label={t('entrance.username')}
    name="username"
    autocomplete="username"
    verbatim
    invalid={missing}
    message={missing && <Bad>{t('entrance.enterUsername')}</Bad>}
  />
);
