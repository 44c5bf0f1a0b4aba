import { useEffect, useState } from 'preact/hooks';
import { T } from '../messages/t.tsx';
import { Field, type FieldProps } from '../ui/field.tsx';

interface PasswordFieldProps extends Omit<FieldProps, 'name' | 'covered' | 'verbatim' | 'control'> {
  autocomplete: 'current-password' | 'new-password';
  /** The form is being sent. The password is then hidden, so that the browser recognizes a password field. */
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
          <T
            id={shown ? 'common.hidePassword' : 'common.showPassword'}
            values={{ hidden: (words) => <span class="visually-hidden">{words}</span> }}
          />
        </button>
      }
    />
  );
}

/** A hidden field with the username, so that password managers save the username with the password. */
export const UsernameForPasswordManagers = ({ username }: { username: string }) => (
  <input type="text" name="username" autocomplete="username" value={username} readOnly hidden />
);
