import type { Ref } from 'preact';
import { Field } from './field.tsx';
import { Bad } from './verdict.tsx';

interface UsernameFieldProps {
  value: string;
  onValue: (value: string) => void;
  inputRef: Ref<HTMLInputElement>;
  /** Asked for in vain. */
  missing: boolean;
}

/** The name of an account that is there already. */
export const UsernameField = ({ missing, ...field }: UsernameFieldProps) => (
  <Field
    {...field}
    label="Username"
    name="username"
    autocomplete="username"
    verbatim
    invalid={missing}
    message={missing && <Bad>Enter your username.</Bad>}
  />
);
