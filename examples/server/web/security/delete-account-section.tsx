import type { Account } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import type { Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';
import { SettingsSection } from './settings-section.tsx';

const words = (): Record<string, Explanation> => ({
  last_superadmin: {
    tone: 'warning',
    title: t('security.lastSuperadminTitle'),
    body: t('security.lastSuperadminBody'),
  },
  ceremony_canceled: {
    tone: 'info',
    title: t('security.notDeletedTitle'),
    body: t('security.notConfirmed'),
  },
});

export function DeleteAccountSection({ user }: { user: Account }) {
  const { deleteAccount } = useAccount();
  const [asking, setAsking] = useState(false);
  const remove = useAction(deleteAccount);
  const ask = (now: boolean) => {
    remove.forget();
    setAsking(now);
  };
  return (
    <SettingsSection id="delete-account" title={t('security.deleteTitle')} lead={t('security.deleteLead')}>
      <div>
        <Button variant="danger-outline" onClick={() => ask(true)}>
          {t('security.deleteAction')}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={t('security.deleteAsk')}
          confirm={t('security.deleteAction')}
          danger
          typed={{ what: t('security.deleteTyped'), expected: user.username }}
          action={remove}
          words={words()}
          onClose={() => ask(false)}
        >
          <p>
            <T
              id="security.deleteBody"
              values={{
                username: (
                  <strong>
                    <bdi>{user.username}</bdi>
                  </strong>
                ),
              }}
            />
          </p>
        </ConfirmDialog>
      )}
    </SettingsSection>
  );
}
