import type { ListedSession, User } from 'latchkey/client';
import { auth } from '../auth.ts';
import { deviceName } from '../device-name.ts';
import { impersonatorName } from '../impersonation/impersonator-name.ts';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { useAction } from '../use-action.ts';
import { helpWords } from './help-words.ts';
import { subjectOf } from './subject.tsx';
import type { UserDialogProps } from './user-actions.ts';

interface EndSessionDialogProps extends Pick<UserDialogProps, 'onClose' | 'onChanged'> {
  user: User;
  session: ListedSession;
}

/** Asks for confirmation before it ends one session of another user. */
export function EndSessionDialog({ user, session, onClose, onChanged }: EndSessionDialogProps) {
  const name = user.username;
  const { impersonator } = session;
  const end = useAction(async () => {
    await auth.users.endSession(user.id, session.id);
    onChanged(user, t('person.sessionEnded', { name }));
  });
  const subject = (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  );
  return (
    <ConfirmDialog
      title={t('person.endSessionTitle', { name })}
      {...subjectOf(user)}
      confirm={t('person.endSessionConfirm')}
      action={end}
      words={{
        ...helpWords(),
        not_found: {
          tone: 'warning',
          title: t('person.sessionGoneTitle'),
          body: t('person.sessionGone'),
        },
      }}
      onClose={onClose}
    >
      <Consequences
        of={[
          {
            kind: 'ends',
            text: impersonator ? (
              <T
                id="person.endSessionEndsUse"
                values={{ name: subject, impersonator: <bdi>{impersonatorName(impersonator)}</bdi> }}
              />
            ) : (
              <T
                id="person.endSessionEnds"
                values={{
                  name: subject,
                  device: deviceName(session.userAgent).name,
                  strong: (children) => <strong>{children}</strong>,
                }}
              />
            ),
          },
          { kind: 'stays', text: <T id="person.endSessionStays" values={{ name: subject }} /> },
        ]}
      />
    </ConfirmDialog>
  );
}
