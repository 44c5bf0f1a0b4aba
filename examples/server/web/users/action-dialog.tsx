import type { User } from 'latchkey/client';
import type { ComponentChildren, ComponentProps } from 'preact';
import { auth } from '../auth.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { useAction } from '../use-action.ts';
import { helpWords } from './help-words.ts';
import type { UserAction, UserDialogProps } from './user-actions.ts';

/** Actions that need no input. */
export type SimpleAction = Extract<UserAction, 'sessions' | 'disable' | 'enable'>;

interface Wording {
  title: (name: string) => string;
  confirm: string;
  danger?: boolean;
  consequences: (name: ComponentChildren) => ComponentProps<typeof Consequences>['of'];
}

const wordings: Record<SimpleAction, Wording> = {
  sessions: {
    title: (name) => `End all sessions of ${name}?`,
    confirm: 'End all sessions',
    consequences: (name) => [
      { kind: 'ends', text: <>{name} is signed out on all devices.</> },
      { kind: 'stays', text: <>{name} can sign in again.</> },
    ],
  },
  disable: {
    title: (name) => `Disable ${name}?`,
    confirm: 'Disable account',
    danger: true,
    consequences: (name) => [
      { kind: 'ends', text: <>All sessions of {name} end immediately.</> },
      {
        kind: 'blocks',
        text: (
          <>
            <strong>Sign-in is blocked,</strong> including with passkeys and recovery codes.
          </>
        ),
      },
      {
        kind: 'stays',
        text: (
          <>
            <strong>Data stays:</strong> passkeys, role and organizations. You can enable the account again.
          </>
        ),
      },
    ],
  },
  enable: {
    title: (name) => `Enable ${name}?`,
    confirm: 'Enable account',
    consequences: (name) => [
      { kind: 'stays', text: <>{name} can sign in again.</> },
      { kind: 'stays', text: 'The passkeys, role and organizations are unchanged.' },
    ],
  },
};

export function ActionDialog(props: UserDialogProps & { action: SimpleAction }) {
  const { user, action, onClose, onChanged } = props;
  const { title, confirm, danger, consequences } = wordings[action];
  const run = useAction(async () => onChanged(...(await perform(action, user))));
  return (
    <ConfirmDialog
      title={title(user.username)}
      subject={<Avatar name={user.displayName ?? user.username} seed={user.username} size="large" />}
      lead={user.displayName && <bdi>{user.displayName}</bdi>}
      confirm={confirm}
      danger={danger}
      action={run}
      words={action === 'sessions' ? helpWords : undefined}
      onClose={onClose}
    >
      <Consequences of={consequences(<strong>{user.username}</strong>)} />
    </ConfirmDialog>
  );
}

/** Returns the user after the action, a sentence about the result, and how to reverse the action. */
async function perform(action: SimpleAction, user: User): Promise<[User, string, (() => Promise<User>)?]> {
  const { id, username } = user;
  switch (action) {
    case 'sessions':
      return [user, endedSentence(await auth.users.endSessions(id), username)];
    case 'disable':
      return [
        await auth.users.disable(id),
        `${username} was disabled. All sessions ended.`,
        () => auth.users.enable(id),
      ];
    default:
      return [await auth.users.enable(id), `${username} was enabled`];
  }
}

function endedSentence(sessions: number, username: string): string {
  if (sessions === 0) return `${username} had no sessions to end`;
  return `Ended ${sessions === 1 ? '1 session' : `${sessions} sessions`} of ${username}`;
}
