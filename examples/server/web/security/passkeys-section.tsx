import { type Passkey, passkeyObstacle } from 'latchkey/client';
import { useCallback, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { announce } from '../components/announcer.tsx';
import { Button } from '../components/button.tsx';
import { LoadFailed } from '../components/load-failed.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { PasskeyObstacleNotice } from '../components/passkey-obstacle-notice.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';
import { useResource } from '../use-resource.ts';
import { PasskeyRow } from './passkey-row.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';

const words: Record<string, Explanation> = {
  passkey_exists: {
    tone: 'info',
    title: 'This device already has a passkey for your account',
    body: 'The passkey is in the list below. To add another passkey, use another device, another password manager or a security key.',
  },
  ceremony_canceled: {
    tone: 'info',
    title: 'No passkey was added',
    body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
  },
  registration_failed: {
    tone: 'danger',
    title: 'The passkey wasn’t added',
    body: 'The service couldn’t verify the passkey. Try again. If your device saved the passkey, delete it there.',
  },
};

export function PasskeysSection({ onRemoved: afterRemoval }: { onRemoved: () => void }) {
  const { refresh } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  const { resource, reload, update } = useResource(useCallback(() => auth.passkeys.list(), []));
  const [newest, setNewest] = useState<string | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const passkeys = resource.status === 'ready' ? resource.value : [];

  const add = useAction(async () => {
    const passkey = await auth.passkeys.add();
    update((known) => [...known, passkey]);
    setNewest(passkey.id);
    announce(`The passkey ${passkey.label} was added.`);
    void refresh();
  });

  const onRenamed = (renamed: Passkey) => {
    update((known) => known.map((passkey) => (passkey.id === renamed.id ? renamed : passkey)));
    announce(`The passkey is now called ${renamed.label}.`);
  };

  const onRemoved = (removed: Passkey) => {
    update((known) => known.filter(({ id }) => id !== removed.id));
    setRemoving(null);
    announce(`The passkey ${removed.label} was removed. All your other sessions have ended.`);
    afterRemoval();
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => heading.current?.focus());
    void refresh();
  };

  return (
    <section class="section" aria-labelledby="passkeys">
      <div class="section__head">
        <div>
          <h2 id="passkeys" tabIndex={-1} ref={heading}>
            Passkeys
          </h2>
          <p class="section__lead">
            You sign in with a passkey. Keep at least two passkeys, on different devices.
          </p>
        </div>
        {!passkeyObstacle() && (
          <Button variant="primary" busy={add.busy} onClick={() => void add.run()}>
            Add passkey
          </Button>
        )}
      </div>
      <PasskeyObstacleNotice />
      <ErrorNotice error={add.error} words={words} />
      {resource.status === 'loading' && <Skeleton rows={2} label="Loading your passkeys" />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {resource.status === 'ready' && passkeys.length === 0 && (
        <p class="empty">No passkeys yet. Add a passkey to sign in without a password.</p>
      )}
      {passkeys.length > 0 && (
        <ul class="list">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isNew={passkey.id === newest}
              onRenamed={onRenamed}
              onRemove={() => setRemoving(passkey)}
            />
          ))}
        </ul>
      )}
      {removing && (
        <RemovePasskeyDialog
          passkey={removing}
          isOnlyOne={passkeys.length === 1}
          onClose={() => setRemoving(null)}
          onRemoved={onRemoved}
          onAddAnother={() => {
            setRemoving(null);
            void add.run();
          }}
        />
      )}
    </section>
  );
}
