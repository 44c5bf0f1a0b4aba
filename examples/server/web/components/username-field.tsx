import type { Ref } from 'preact';
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
    label="Username"
    name="username"
    autocomplete="username"
    verbatim
    invalid={missing}
    message={missing && <Bad>Enter your username.</Bad>}
  />
);
