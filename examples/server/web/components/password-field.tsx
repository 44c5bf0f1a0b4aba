import { useEffect, useState } from 'preact/hooks';
import { Field, type FieldProps } from './field.tsx';

interface PasswordFieldProps extends Omit<FieldProps, 'name' | 'covered' | 'verbatim' | 'control'> {
  autocomplete: 'current-password' | 'new-password';
  /** Being sent: covered again, so that the browser knows it for a password and nobody reads it meanwhile. */
  sending: boolean;
}

/** A password, covered until its owner wants to see what they type. */
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

/** Tells password managers whose password a form is about. */
export const UsernameForPasswordManagers = ({ username }: { username: string }) => (
  <input type="text" name="username" autocomplete="username" value={username} readOnly hidden />
);
