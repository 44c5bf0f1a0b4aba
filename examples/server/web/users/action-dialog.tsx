import type { User } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { auth } from '../auth.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useAction } from '../use-action.ts';
import { helpWords } from './help-words.ts';
import type { UserAction, UserDialogProps } from './user-actions.ts';

/** Actions that need no input. */
export type SimpleAction = Extract<UserAction, 'sessions' | 'disable' | 'enable'>;

interface Wording {
  title: (name: string) => string;
  confirm: string;
  danger?: boolean;
  body: (name: ComponentChildren) => ComponentChildren;
}

const wordings: Record<SimpleAction, Wording> = {
  sessions: {
    title: (name) => `End all sessions of ${name}?`,
    confirm: 'End all sessions',
    body: (name) => <>{name} is signed out on all devices, and can sign in again.</>,
  },
  disable: {
    title: (name) => `Disable ${name}?`,
    confirm: 'Disable account',
    danger: true,
    body: (name) => (
      <>
        All sessions of {name} end immediately. {name} can’t sign in until you enable the account again.
      </>
    ),
  },
  enable: {
    title: (name) => `Enable ${name}?`,
    confirm: 'Enable account',
    body: (name) => <>{name} can sign in again. The passkeys, role and organizations are unchanged.</>,
  },
};

export function ActionDialog(props: UserDialogProps & { action: SimpleAction }) {
  const { user, action, onClose, onChanged } = props;
  const { title, confirm, danger, body } = wordings[action];
  const run = useAction(async () => {
    const [changed, words] = await perform(action, user);
    onChanged(changed, words);
  });
  return (
    <ConfirmDialog
      title={title(user.username)}
      confirm={confirm}
      danger={danger}
      action={run}
      words={action === 'sessions' ? helpWords : undefined}
      onClose={onClose}
    >
      <p>{body(<strong>{user.username}</strong>)}</p>
    </ConfirmDialog>
  );
}

/** Returns the user after the action, and a sentence about the result. */
async function perform(action: SimpleAction, user: User): Promise<[User, string]> {
  switch (action) {
    case 'sessions':
      return [user, endedSentence(await auth.users.endSessions(user.id))];
    case 'disable':
      return [await auth.users.disable(user.id), 'Account disabled. All sessions ended.'];
    default:
      return [await auth.users.enable(user.id), 'Account enabled.'];
  }
}

function endedSentence(sessions: number): string {
  if (sessions === 0) return 'There were no sessions to end.';
  return `Ended ${sessions === 1 ? '1 session' : `${sessions} sessions`}.`;
}
