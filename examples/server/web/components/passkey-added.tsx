import type { Passkey } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { onPasskeyAdded } from '../auth.ts';
import { Button } from '../ui/button.tsx';

/** Shows that the browser added a passkey without a prompt. Some browsers do this after a password sign-in. */
export function PasskeyAdded() {
  const { state, refresh } = useAccount();
  const [added, setAdded] = useState<Passkey | null>(null);
  const isSignedIn = state.status === 'signed-in';

  useEffect(() => {
    onPasskeyAdded((passkey) => {
      setAdded(passkey);
      void refresh();
    });
  }, [refresh]);

  // The next user of this browser must not see the message.
  useEffect(() => {
    if (state.status === 'signed-out') setAdded(null);
  }, [state.status]);

  return (
    <div role="status">
      {added && isSignedIn && (
        <p class="news">
          A passkey was added. Next time, sign in with {added.provider ?? 'the passkey'}.
          <a href="/settings/security">View your passkeys</a>
          <Button variant="link" onClick={() => setAdded(null)}>
            Close
          </Button>
        </p>
      )}
    </div>
  );
}
