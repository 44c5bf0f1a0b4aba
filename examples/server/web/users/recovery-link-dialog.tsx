import type { RecoveryLink } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { LinkOnce } from '../components/link-once.tsx';
import { formatExact, formatStart } from '../dates.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../use-action.ts';
import { helpWords } from './help-words.ts';
import { subjectOf } from './subject.tsx';
import type { UserDialogProps } from './user-actions.ts';

export function RecoveryLinkDialog({ user, onClose, onChanged }: UserDialogProps) {
  const name = user.username;
  const [link, setLink] = useState<RecoveryLink | null>(null);
  const create = useAction(async () => setLink(await auth.users.createRecoveryLink(user.id)));
  const done = () => onChanged(user, t('users.recoveryCreated'));
  const values = { name: <strong>{name}</strong> };

  if (!link) {
    return (
      <ConfirmDialog
        title={t('users.recoveryTitle', { name })}
        {...subjectOf(user)}
        confirm={t('users.recovery')}
        action={create}
        words={helpWords()}
        onClose={onClose}
      >
        <p>
          <T id="users.recoveryRisk" values={values} />
        </p>
        <p>
          <T id="users.recoveryNotice" values={values} />
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      title={t('users.recoveryLinkTitle', { name })}
      onClose={done}
      actions={<Button onClick={done}>{t('users.done')}</Button>}
    >
      <LinkOnce label={t('users.recoveryLinkLabel', { name })} url={link.url} />
      {isWaiting(link) && (
        <p>
          <T
            id="users.recoveryWaits"
            values={{
              name,
              time: formatStart(link.usableAt),
              strong: (children) => <strong>{children}</strong>,
            }}
          />
        </p>
      )}
      <p>
        <T
          id="users.recoveryUntil"
          values={{ time: <time dateTime={link.expiresAt}>{formatExact(link.expiresAt)}</time> }}
        />
      </p>
      <p>{t('users.recoveryAfter', { name })}</p>
      <p>
        <T id="users.recoveryNotice" values={{ name }} />
      </p>
    </Dialog>
  );
}

/** Whether the link does not work yet. A delay gives the account's user time to cancel the link. */
const isWaiting = ({ usableAt }: RecoveryLink): boolean => Date.parse(usableAt) > Date.now();
