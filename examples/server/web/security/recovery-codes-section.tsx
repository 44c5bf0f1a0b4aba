import type { Account } from 'latchkey/client';
import { useCallback, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import type { Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { showCodes } from '../recovery/codes-dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { useResource } from '../use-resource.ts';
import { RecoveryCodesRow } from './recovery-codes-row.tsx';
import { ReplaceCodesDialog } from './replace-codes-dialog.tsx';
import { RevokeCodesDialog } from './revoke-codes-dialog.tsx';
import { SettingsSection } from './settings-section.tsx';

const words = (): Record<string, Explanation> => ({
  ceremony_canceled: {
    tone: 'info',
    title: t('security.noCodesCreated'),
    body: t('security.notConfirmed'),
  },
});

export function RecoveryCodesSection({ user }: { user: Account }) {
  const { refresh } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  const { resource, reload, update } = useResource(useCallback(() => auth.recovery.codes(), []));
  const [asking, setAsking] = useState<'replace' | 'revoke' | null>(null);

  // The focused button may no longer exist, so the focus moves to the heading.
  const settle = (message: string) => {
    toast(message);
    requestAnimationFrame(() => heading.current?.focus());
  };

  const generate = useAction(async () => {
    const created = await auth.recovery.generateCodes();
    setAsking(null);
    const { total, expiresAt } = created;
    update(() => ({ total, remaining: total, generatedAt: new Date().toISOString(), expiresAt }));
    // Refreshes before the dialog shows the codes, so that the page behind the dialog is current.
    void refresh();
    await showCodes(created, user.username);
    settle(t('security.codesCreated'));
  });

  const revoke = useAction(async () => {
    await auth.recovery.revokeCodes();
    setAsking(null);
    update(() => ({ total: 0, remaining: 0, generatedAt: null, expiresAt: null }));
    void refresh();
    settle(t('security.codesRevoked'));
  });

  const ask = (what: 'replace' | 'revoke' | null) => {
    generate.forget();
    revoke.forget();
    setAsking(what);
  };

  return (
    <SettingsSection
      id="recovery-codes"
      title={t('security.codesTitle')}
      lead={t('security.codesLead')}
      headingRef={heading}
    >
      {asking === null && <ErrorNotice error={generate.error} words={words()} />}
      {resource.status === 'loading' && <Skeleton rows={1} label={t('security.codesLoading')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {resource.status === 'ready' && (
        <ul class="list">
          <RecoveryCodesRow
            codes={resource.value}
            busy={generate.busy}
            onGenerate={() => void generate.run()}
            onReplace={() => ask('replace')}
            onRevoke={() => ask('revoke')}
          />
        </ul>
      )}
      {asking === 'replace' && (
        <ReplaceCodesDialog action={generate} words={words()} onClose={() => ask(null)} />
      )}
      {asking === 'revoke' && <RevokeCodesDialog action={revoke} onClose={() => ask(null)} />}
    </SettingsSection>
  );
}
