import { useEffect, useState } from 'preact/hooks';
import { Field, type FieldProps } from './field.tsx';

interface PasswordFieldProps extends Omit<FieldProps, 'name' | 'covered' | 'verbatim' | 'control'> {
  autocomplete: 'current-password' | 'new-password';
  /** While the form is being sent, the password is hidden, and the browser recognizes the field as a password. */
  sending: boolean;
}

/** A password field with a button that shows or hides the password. */
export function PasswordField({ sending, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (sending) setShown(false);
  }, [sending]);
  return (
    <Field
      {...rest}
      name="password"
      covered={!shown}
      verbatim
      control={
        <button type="button" class="field__control" onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
          <span class="visually-hidden"> password</span>
        </button>
      }
    />
  );
}

/** Gives password managers the username that belongs to a form's password. */
export const UsernameForPasswordManagers = ({ username }: { username: string }) => (
  <input type="text" name="username" autocomplete="username" value={username} readOnly hidden />
);
