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
    title: 'You’re the last superadministrator',
    body: 'Somebody has to be left who can do everything. Make somebody else a superadministrator first.',
  },
  ceremony_cancelled: {
    tone: 'info',
    title: 'Your account is still there',
    body: 'You didn’t confirm that it’s you.',
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
          <h2 id="delete-account">Delete my account</h2>
          <p class="section__lead">For ever, with every passkey, password and recovery code.</p>
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
            You’re signed out everywhere at once and can’t come back. Nobody can restore the account, and
            nobody can have the name <strong>{user.username}</strong> again.
          </p>
        </TypedConfirmDialog>
      )}
    </section>
  );
}
