import { Box } from 'ink';
import type { UserDetails } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useClock } from '../../hooks/clock.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { usePoll } from '../../hooks/poll.ts';
import { useTask } from '../../hooks/task.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { isBack } from '../screen.ts';
import { type DialogState, UserDialog, userDialogHeight } from './user-dialog.tsx';
import { Sessions, UserFacts, userFactRows } from './user-facts.tsx';
import { userQuestions } from './user-questions.ts';

const hintsFor = (details: UserDetails | undefined): KeyHint[] => [
  { keys: 'r', does: 'change role', means: 'change the role' },
  {
    keys: 'd',
    does: details?.user.status === 'disabled' ? 'enable' : 'disable',
    means: 'disable or enable the user',
  },
  { keys: 'l', does: 'create link', means: 'create a recovery link' },
  ...(details?.recoveryLink ? [{ keys: 'c', does: 'cancel link', means: 'cancel the recovery link' }] : []),
  { keys: 's', does: 'end sessions', means: 'end all sessions' },
  { keys: 'x', does: 'delete', means: 'delete the user permanently' },
  { keys: 'esc', does: 'back', means: 'go back to all users' },
];

/** Shows a user, and runs actions on that user. */
export function UserScreen({
  username,
  onBack,
  onDeleted,
}: {
  username: string;
  onBack: () => void;
  onDeleted: () => void;
}): ReactNode {
  const { operator, features } = useCliContext();
  const clock = useClock();
  const room = useRoom();
  const run = useTask();
  const [dialog, setDialog] = useState<DialogState | null>(null);
  const { data: details, ...poll } = usePoll(() => operator.users.get(username), { everyMs: 2000 });
  const user = details?.user;
  const questions = user && userQuestions(user, { operator, run, refresh: poll.refresh });

  useKeys(({ name }) => {
    if (isBack(name)) return onBack();
    if (!questions) return;
    if (name === 'r') return setDialog({ what: 'role' });
    const ask = {
      d: questions.disableOrEnable,
      s: questions.endSessions,
      c: () => (details?.recoveryLink ? questions.cancelRecoveryLink() : null),
      l: () => questions.createRecoveryLink((link) => setDialog({ what: 'link', link, wantsQr: false })),
      x: () => questions.deleteUser(onDeleted),
    }[name];
    const question = ask?.();
    if (question) setDialog({ what: 'confirm', question });
  });

  const left = room.rows - userDialogHeight(dialog, room);
  return (
    <Frame
      title={`Users · ${username}`}
      keys={hintsFor(details)}
      problem={poll.problem}
      isWaiting={poll.isWaiting}
    >
      {details && left > 0 && (
        <Box flexDirection="column" height={left} flexShrink={0} overflow="hidden">
          <Text bold wrap="truncate">
            {` ${username}`}
            {details.user.displayName !== null && <Text>{` · ${details.user.displayName}`}</Text>}
          </Text>
          <UserFacts details={details} features={features} now={clock.now()} />
          <Sessions
            sessions={details.sessions}
            now={clock.now()}
            width={room.columns}
            height={Math.max(2, left - userFactRows(features) - 1)}
          />
        </Box>
      )}
      {dialog && user && questions && (
        <UserDialog dialog={dialog} user={user} room={room} questions={questions} onDialog={setDialog} />
      )}
    </Frame>
  );
}
