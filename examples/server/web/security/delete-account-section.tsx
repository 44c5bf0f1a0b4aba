import type { Account } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { Button } from '../components/button.tsx';
import { TypedConfirmDialog } from '../components/typed-confirm-dialog.tsx';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';

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
    <section class="section" aria-labelledby="delete-account">
      <div class="section__head">
        <div>
          <h2 id="delete-account">Account deletion</h2>
          <p class="section__lead">
            You can permanently delete your account, with all passkeys, the password and all recovery codes.
          </p>
        </div>
        <Button onClick={() => ask(true)}>Delete my account</Button>
      </div>
      {asking && (
        <TypedConfirmDialog
          title="Delete your account?"
          confirm="Delete my account"
          what="your username"
          expected={user.username}
          action={remove}
          words={words}
          onClose={() => ask(false)}
        >
          <p>
            All your sessions end immediately. The account can’t be restored, and the username{' '}
            <strong>{user.username}</strong> can’t be used again.
          </p>
        </TypedConfirmDialog>
      )}
    </section>
  );
}
