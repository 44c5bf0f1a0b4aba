import type { Passkey } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { onPasskeyAdded } from '../auth.ts';
import { Button } from './button.tsx';

/** Tells of a passkey that nobody was asked about: after signing in with a password a browser may make one. */
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

  // Nothing of it is left to whoever signs in next.
  useEffect(() => {
    if (state.status === 'signed-out') setAdded(null);
  }, [state.status]);

  return (
    <div role="status">
      {added && isSignedIn && (
        <p class="news">
          A passkey was added: next time, sign in with {added.provider ?? 'it'}.
          <a href="/settings/security">See your passkeys</a>
          <Button variant="link" onClick={() => setAdded(null)}>
            Close
          </Button>
        </p>
      )}
    </div>
  );
}
