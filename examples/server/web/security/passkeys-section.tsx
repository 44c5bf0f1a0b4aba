import { type Passkey, passkeyObstacle } from 'latchkey/client';
import { Plus } from 'lucide-static';
import { useCallback, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { PasskeyObstacleNotice } from '../components/passkey-obstacle-notice.tsx';
import { type Explanation, explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { useResource } from '../use-resource.ts';
import { PasskeyCard } from './passkey-card.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';
import { SettingsSection } from './settings-section.tsx';

const words: Record<string, Explanation> = {
  passkey_exists: explanation('info', 'passkeys.existsTitle', 'passkeys.existsBody'),
  ceremony_canceled: explanation('info', 'passkeys.notAddedTitle', 'passkeys.notAddedBody'),
  registration_failed: explanation('danger', 'passkeys.failedTitle', 'passkeys.failedBody'),
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
    toast(t('passkeys.added'));
    void refresh();
  });

  const replace = (renamed: Passkey) =>
    update((known) => known.map((passkey) => (passkey.id === renamed.id ? renamed : passkey)));

  const onRenamed = (renamed: Passkey) => {
    const before = passkeys.find(({ id }) => id === renamed.id)?.label;
    replace(renamed);
    setNewest(null);
    toast(
      t('passkeys.renamed', { name: renamed.label }),
      before === undefined ? undefined : async () => replace(await auth.passkeys.rename(renamed.id, before)),
    );
  };

  const onRemoved = (removed: Passkey) => {
    update((known) => known.filter(({ id }) => id !== removed.id));
    setRemoving(null);
    toast(t('passkeys.removed', { name: removed.label }));
    afterRemoval();
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => heading.current?.focus());
    void refresh();
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
      <PasskeyObstacleNotice />
      <ErrorNotice error={add.error} words={words} />
      {resource.status === 'loading' && <Skeleton rows={2} label={t('passkeys.loading')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {resource.status === 'ready' && passkeys.length === 0 && (
        <EmptyState title={t('passkeys.noneTitle')}>{t('passkeys.noneBody')}</EmptyState>
      )}
      {passkeys.length > 0 && (
        <ul class="passkeys">
          {passkeys.map((passkey) => (
            <PasskeyCard
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
    </SettingsSection>
  );
}
