import type { Account } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import type { Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';
import { SettingsSection } from './settings-section.tsx';

const words: Record<string, Explanation> = {
  last_superadmin: {
    tone: 'warning',
    title: 'You’re the last superadmin',
    body: 'Make another user a superadmin first.',
  },
  ceremony_canceled: {
    tone: 'info',
    title: 'Your account was not deleted',
    body: 'You didn’t confirm that it’s you. Try again when you’re ready.',
  },
};

export function DeleteAccountSection({ user }: { user: Account }) {
  const { deleteAccount } = useAccount();
  const [asking, setAsking] = useState(false);
  const remove = useAction(deleteAccount);
  const ask = (now: boolean) => {
    remove.forget();
    setAsking(now);
  };
  return (
    <SettingsSection
      id="delete-account"
      title="Account deletion"
      lead="Deletes your passkeys, sign-in methods and memberships. This can’t be undone."
    >
      <div>
        <Button variant="danger-outline" onClick={() => ask(true)}>
          Delete my account
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title="Delete your account?"
          confirm="Delete my account"
          danger
          typed={{ what: 'your username', expected: user.username }}
          action={remove}
          words={words}
          onClose={() => ask(false)}
        >
          <p>
            All your sessions end immediately. The account can’t be restored, and the username{' '}
            <strong>{user.username}</strong> can’t be used again.
          </p>
        </ConfirmDialog>
      )}
    </SettingsSection>
  );
}
