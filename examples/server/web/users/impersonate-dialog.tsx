import type { User } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../use-action.ts';
import { subjectOf } from './subject.tsx';

const words = (): Record<string, Explanation> => ({
  invalid_request: {
    tone: 'warning',
    title: t('users.impersonateReasonMissing'),
    body: t('users.impersonateReasonHint'),
  },
});

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
      title={t('users.impersonateTitle', { name: user.username })}
      {...subjectOf(user)}
      confirm={t('users.impersonate')}
      action={start}
      words={words()}
      onClose={onClose}
    >
      <p>
        <T id="users.impersonateSees" values={{ name: <strong>{user.username}</strong> }} />
      </p>
      <p>{t('users.impersonateEnds')}</p>
      <Field
        label={t('users.reason')}
        name="reason"
        value={reason}
        onValue={setReason}
        autocomplete="off"
        maxLength={200}
        message={t('users.impersonateReasonShown')}
      />
    </ConfirmDialog>
  );
}
