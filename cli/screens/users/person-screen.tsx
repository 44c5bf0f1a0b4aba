import { Box } from 'ink';
import type { User } from 'latchkey';
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

const hintsFor = (user: User | undefined): KeyHint[] => [
  { keys: 'r', does: 'role', means: 'change their role' },
  {
    keys: 'd',
    does: user?.status === 'disabled' ? 'enable' : 'disable',
    means: 'shut them out, or let them in again',
  },
  { keys: 'l', does: 'recover', means: 'a link that lets them back in' },
  { keys: 's', does: 'sessions', means: 'sign them out everywhere' },
  { keys: 'x', does: 'delete', means: 'delete their account for ever' },
  { keys: 'esc', does: 'back', means: 'back to everybody' },
];

/** One person, and what can be done for them or to them. */
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
      l: () => questions.recoveryLink((link) => setDoing({ what: 'link', link, wantsQr: false })),
      x: () => questions.remove(onGone),
    }[name];
    if (question) setDoing({ what: 'asking', question: question() });
  });

  const left = room.rows - personDialogHeight(doing, room);
  return (
    <Frame
      title={`Users · ${username}`}
      keys={hintsFor(user)}
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
