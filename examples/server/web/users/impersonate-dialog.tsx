import type { User } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  invalid_request: {
    tone: 'warning',
    title: 'Enter a reason',
    body: 'For example, the number of the support ticket. At most 200 characters.',
  },
};

export function ImpersonateDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { refresh } = useAccount();
  const { route } = useLocation();
  const [reason, setReason] = useState('');
  const start = useAction(async () => {
    await auth.impersonation.start(user.id, { reason });
    await refresh();
    route('/');
  });
  return (
    <ConfirmDialog
      title={`Use the account of ${user.username}?`}
      confirm="Use account"
      action={start}
      words={words}
      onClose={onClose}
    >
      <p>
        You see what <strong>{user.username}</strong> sees. You can’t change the account.{' '}
        <strong>{user.username}</strong> can see and end the session. It ends after an hour.
      </p>
      <p>Your own session ends now. Afterwards, sign in again with your passkey.</p>
      <Field
        label="Reason"
        name="reason"
        value={reason}
        onValue={setReason}
        autocomplete="off"
        maxLength={200}
        message="The activity shows this text."
      />
    </ConfirmDialog>
  );
}
