import { Box } from 'ink';
import type { PersonDetails } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import { useClock } from '../../hooks/clock.ts';
import { useDesk } from '../../hooks/desk-context.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { usePoll } from '../../hooks/poll.ts';
import { useTask } from '../../hooks/task.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { isBack } from '../screen.ts';
import { type Doing, PersonDialog, personDialogHeight } from './person-dialog.tsx';
import { PersonFacts, personFactRows, Sessions } from './person-facts.tsx';
import { personQuestions } from './person-questions.ts';

const hintsFor = (person: PersonDetails | undefined): KeyHint[] => [
  { keys: 'r', does: 'role', means: 'change the role' },
  {
    keys: 'd',
    does: person?.user.status === 'disabled' ? 'enable' : 'disable',
    means: 'disable or enable the user',
  },
  { keys: 'l', does: 'recover', means: 'make a recovery link' },
  ...(person?.recoveryLink ? [{ keys: 'c', does: 'cancel link', means: 'cancel the recovery link' }] : []),
  { keys: 's', does: 'sessions', means: 'end all sessions' },
  { keys: 'x', does: 'delete', means: 'delete the account for good' },
  { keys: 'esc', does: 'back', means: 'back to all users' },
];

/** One user, and the actions on the account. */
export function PersonScreen({
  username,
  onBack,
  onGone,
}: {
  username: string;
  onBack: () => void;
  onGone: () => void;
}): ReactNode {
  const { operator } = useDesk();
  const clock = useClock();
  const room = useRoom();
  const run = useTask();
  const [doing, setDoing] = useState<Doing | null>(null);
  const { data: person, ...poll } = usePoll(() => operator.users.inspect(username), { every: 2000 });
  const user = person?.user;
  const questions = user && personQuestions(user, { operator, run, refresh: poll.refresh });

  useKeys(({ name }) => {
    if (isBack(name)) return onBack();
    if (!questions) return;
    if (name === 'r') return setDoing({ what: 'role' });
    const question = {
      d: questions.disableOrEnable,
      s: questions.endSessions,
      c: () => (person?.recoveryLink ? questions.cancelRecoveryLink() : null),
      l: () => questions.recoveryLink((link) => setDoing({ what: 'link', link, wantsQr: false })),
      x: () => questions.remove(onGone),
    }[name];
    const asked = question?.();
    if (asked) setDoing({ what: 'asking', question: asked });
  });

  const left = room.rows - personDialogHeight(doing, room);
  return (
    <Frame
      title={`Users · ${username}`}
      keys={hintsFor(person)}
      trouble={poll.trouble}
      isWaiting={poll.isWaiting}
    >
      {person && left > 0 && (
        <Box flexDirection="column" height={left} flexShrink={0} overflow="hidden">
          <Text bold wrap="truncate">
            {` ${username}`}
            {person.user.displayName !== null && <Text>{` · ${person.user.displayName}`}</Text>}
          </Text>
          <PersonFacts person={person} />
          <Sessions
            sessions={person.sessions}
            now={clock.now()}
            width={room.columns}
            height={Math.max(2, left - personFactRows - 1)}
          />
        </Box>
      )}
      {doing && user && questions && (
        <PersonDialog doing={doing} user={user} room={room} questions={questions} onDoing={setDoing} />
      )}
    </Frame>
  );
}
