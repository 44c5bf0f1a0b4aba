import { useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import type { Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../use-action.ts';
import { subjectOf } from './subject.tsx';
import type { UserDialogProps } from './user-actions.ts';

const longestReason = 200;

const words = (): Record<string, Explanation> => ({
  invalid_request: { tone: 'warning', title: t('users.reasonInvalid'), body: t('users.reasonInvalidHint') },
});

export function DisableDialog({ user, details, onClose, onChanged }: UserDialogProps) {
  const name = user.username;
  const [reason, setReason] = useState('');
  const disable = useAction(async () => {
    const disabled = await auth.users.disable(user.id, { reason: reason.trim() || undefined });
    onChanged(disabled, t('users.disabled', { name }), () => auth.users.enable(user.id));
  });
  const sessions = details?.sessions?.length;
  const strong = (children: preact.ComponentChildren) => <strong>{children}</strong>;
  return (
    <ConfirmDialog
      title={t('users.disableTitle', { name })}
      {...subjectOf(user)}
      confirm={t('users.disable')}
      danger
      action={disable}
      words={words()}
      onClose={onClose}
    >
      <Consequences
        of={[
          {
            kind: 'ends',
            text:
              sessions === undefined || sessions === 0 ? (
                <T id="users.disableEnds" values={{ name: <strong>{name}</strong> }} />
              ) : (
                <T id="users.disableEndsCount" values={{ count: sessions, strong }} />
              ),
          },
          { kind: 'blocks', text: <T id="users.disableBlocks" values={{ strong }} /> },
          { kind: 'stays', text: <T id="users.disableStays" values={{ strong }} /> },
        ]}
      />
      <Field
        label={t('users.reason')}
        name="reason"
        optional
        value={reason}
        onValue={setReason}
        autocomplete="off"
        maxLength={longestReason}
        message={t('users.disableReasonHint')}
      />
    </ConfirmDialog>
  );
}
