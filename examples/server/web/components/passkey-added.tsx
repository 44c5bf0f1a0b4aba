import type { Passkey } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { onPasskeyAdded } from '../auth.ts';
import { t } from '../messages/t.tsx';
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
          {t('common.passkeyAdded', { passkey: added.provider ?? t('common.thePasskey') })}
          <a href="/settings/security">{t('common.viewPasskeys')}</a>
          <Button variant="link" onClick={() => setAdded(null)}>
            {t('common.close')}
          </Button>
        </p>
      )}
    </div>
  );
}
