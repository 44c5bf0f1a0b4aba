import '../elements/jsx.ts';
import 'latchkey/elements/passkeys';
import { type Passkey, passkeyObstacle } from 'latchkey/client';
import type { LatchkeyEvents, LatchkeyPasskeys } from 'latchkey/elements';
import { Plus } from 'lucide-static';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { useSignedInFailures } from '../elements/use-signed-in-failures.ts';
import { t } from '../messages/t.tsx';
import { onServerBack } from '../server-away.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { PasskeyMark } from './passkey-mark.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';
import { SettingsSection } from './settings-section.tsx';

/** The element shows the list. The page adds the logos, the dialog that removes a passkey, and success messages. */
export function PasskeysSection({ onRemoved }: { onRemoved: () => void }) {
  const { refresh } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<LatchkeyPasskeys>(null);
  const [passkeys, setPasskeys] = useState<readonly Passkey[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const fail = useSignedInFailures();
  const add = useAction(async () => list.current?.addPasskey());

  // Reloading the list keeps the names that the user is typing.
  useEffect(() => onServerBack(() => void list.current?.reload()), []);

  const askBefore = (event: LatchkeyEvents['latchkey-before-passkeys-change']) => {
    if (event.detail.action !== 'remove') return;
    event.preventDefault();
    setRemoving(event.detail.passkey);
  };

  const undoRenaming = async ({ id, label }: Passkey) => {
    await list.current?.renamePasskey(id, label);
  };

  const onChanged = ({ detail }: LatchkeyEvents['latchkey-passkeys-changed']) => {
    const { change, passkey, previous } = detail;
    setPasskeys(detail.passkeys);
    if (change === 'renamed') {
      toast(
        t('passkeys.renamed', { name: passkey.label }),
        previous ? () => undoRenaming(previous) : undefined,
      );
      return;
    }
    void refresh();
    if (change === 'added') return toast(t('passkeys.added'));
    toast(t('passkeys.removed', { name: passkey.label }));
    onRemoved();
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => heading.current?.focus());
  };

  return (
    <SettingsSection
      id="passkeys"
      title={t('passkeys.title')}
      lead={t('passkeys.lead')}
      headingRef={heading}
      action={
        !passkeyObstacle() && (
          <Button variant="primary" icon={Plus} busy={add.busy} onClick={() => void add.run()}>
            {t('common.addPasskey')}
          </Button>
        )
      }
    >
      <latchkey-passkeys
        ref={list}
        client={auth}
        add-button="off"
        onlatchkey-passkeys-loaded={({ detail }) => {
          setPasskeys(detail.passkeys);
          setFailed(false);
        }}
        onlatchkey-before-passkeys-change={askBefore}
        onlatchkey-passkeys-changed={onChanged}
        onlatchkey-failed={(event) => {
          setFailed(true);
          fail(event);
        }}
      >
        {passkeys === null && !hasFailed && (
          <div slot="loading">
            <Skeleton rows={2} label={t('passkeys.loading')} />
          </div>
        )}
        {passkeys?.length === 0 && (
          <div slot="empty">
            <EmptyState title={t('passkeys.noneTitle')}>{t('passkeys.noneBody')}</EmptyState>
          </div>
        )}
        {passkeys?.map((passkey) => (
          <span key={passkey.id} slot={`logo-${passkey.id}`} class="passkey-mark">
            <PasskeyMark passkey={passkey} />
          </span>
        ))}
      </latchkey-passkeys>
      {removing && (
        <RemovePasskeyDialog
          passkey={removing}
          isOnlyOne={passkeys?.length === 1}
          remove={async ({ id }) => list.current?.removePasskey(id)}
          onClose={() => setRemoving(null)}
          onAddAnother={() => {
            setRemoving(null);
            void add.run();
          }}
        />
      )}
    </SettingsSection>
  );
}
