import { passkeyObstacle } from 'latchkey/client';
import { useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { PasskeyObstacleNotice } from '../components/passkey-obstacle-notice.tsx';
import { UsernameVerdict } from '../components/username-verdict.tsx';
import type { Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { useUsernameAvailability } from '../use-username-availability.ts';

const words: Record<string, Explanation> = {
  ceremony_canceled: {
    tone: 'info',
    title: 'No account was created',
    body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
  },
  registration_failed: {
    tone: 'danger',
    title: 'The account wasn’t created',
    body: 'The service couldn’t verify the passkey. Try again. If your device saved the passkey, delete it there.',
  },
  username_taken: {
    tone: 'danger',
    title: 'That username is taken',
    body: 'Choose another username, then try again.',
  },
  username_unacceptable: {
    tone: 'danger',
    title: 'That username can’t be used',
    body: 'Choose another username, then try again.',
  },
};

interface SignUpFormProps {
  /** The username that the invitation is for. Null: the user chooses a username. */
  fixedUsername?: string | null;
  /** The token of an invitation to sign up. */
  invitation?: string | undefined;
  submit: string;
  /** Called when the account was created and the user is signed in. */
  onSignedUp: () => Promise<void>;
}

export function SignUpForm({ fixedUsername = null, invitation, submit, onSignedUp }: SignUpFormProps) {
  const [username, setUsername] = useState(fixedUsername ?? '');
  const [displayName, setDisplayName] = useState('');
  const [attempted, setAttempted] = useState(false);
  const usernameInput = useRef<HTMLInputElement>(null);
  const availability = useUsernameAvailability(username, invitation);
  const isRefused = ['empty', 'short', 'taken', 'look_alike', 'reserved', 'invalid'].includes(
    availability.status,
  );

  const signUp = useAction(async () => {
    await auth.signUp({
      username: username.trim(),
      displayName: displayName.trim() || undefined,
      invitation,
    });
    await onSignedUp();
  });

  const onSubmit = (event: Event) => {
    event.preventDefault();
    setAttempted(true);
    if (isRefused) usernameInput.current?.focus();
    else void signUp.run();
  };

  if (passkeyObstacle()) return <PasskeyObstacleNotice />;
  return (
    <form class="form" onSubmit={onSubmit}>
      <ErrorNotice error={signUp.error} words={words} />
      <Field
        label="Username"
        name="username"
        value={username}
        onValue={setUsername}
        inputRef={usernameInput}
        autocomplete="username"
        readOnly={fixedUsername !== null}
        verbatim
        invalid={
          ['taken', 'look_alike', 'reserved', 'invalid'].includes(availability.status) ||
          (attempted && isRefused)
        }
        message={<UsernameVerdict availability={availability} typed={username} insist={attempted} />}
      />
      <Field
        label="Display name"
        optional
        name="name"
        value={displayName}
        onValue={setDisplayName}
        autocomplete="name"
        maxLength={64}
      />
      <Button type="submit" variant="primary" wide busy={signUp.busy}>
        {submit}
      </Button>
    </form>
  );
}
