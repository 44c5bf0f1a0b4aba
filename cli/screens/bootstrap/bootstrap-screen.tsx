import { Box } from 'ink';
import type { Bootstrapped, Overview } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import { useDesk } from '../../hooks/desk-context.ts';
import { usePoll } from '../../hooks/poll.ts';
import { useTask } from '../../hooks/task.ts';
import { openingOf } from '../../opening.ts';
import type { ScreenProps } from '../screen.ts';
import { type Answers, BootstrapForm } from './bootstrap-form.tsx';
import { ChooseWay } from './choose-way.tsx';
import { NextSteps } from './next-steps.tsx';
import { PasskeyLink } from './passkey-link.tsx';

const hints: Record<'choose' | 'ask' | 'rest', KeyHint[]> = {
  choose: [
    { keys: '↑↓ j k', does: 'move' },
    { keys: 'enter', does: 'choose' },
    { keys: 'esc', does: 'back' },
  ],
  ask: [
    { keys: 'enter tab', does: 'next' },
    { keys: '↑', does: 'back up' },
    { keys: 'esc', does: 'cancel, nothing is made' },
  ],
  rest: [{ keys: 'esc', does: 'home' }],
};

/** Makes the first superadmin: how, who, and then the way in. Nothing is written before the last answer. */
export function BootstrapScreen({ onBack }: ScreenProps): ReactNode {
  const desk = useDesk();
  const run = useTask();
  const [passkey, setPasskey] = useState<boolean | null>(null);
  const [attempt, setAttempt] = useState<{ username?: string; number: number }>({ number: 0 });
  const [made, setMade] = useState<Bootstrapped | null>(null);
  const {
    data: overview,
    trouble,
    isWaiting,
  } = usePoll(() => desk.operator.overview(), {
    every: 5000,
    enabled: passkey === null,
  });

  const save = async (answers: Answers) => {
    const again = overview && openingOf(overview) === 'again';
    const request = { ...answers, ...(again && { again }) };
    const result = await run(
      'Making the superadmin…',
      () => desk.operator.bootstrap(request),
      () => null,
    );
    if (result) setMade(result);
    else setAttempt({ username: answers.username, number: attempt.number + 1 });
  };

  const stage = made ? 'rest' : passkey === null ? 'choose' : 'ask';
  return (
    <Frame title="Bootstrap" keys={hints[stage]} trouble={trouble} isWaiting={isWaiting}>
      {stage === 'choose' && <ChooseWay onChoose={setPasskey} onBack={onBack} />}
      {stage === 'ask' && (
        <Box flexDirection="column" padding={1} rowGap={1}>
          <Text bold>Who becomes superadmin?</Text>
          <BootstrapForm
            key={attempt.number}
            check={desk.checkUsername}
            passkey={passkey ?? true}
            username={attempt.username}
            theirOwn={overview && unfinishedName(overview)}
            onAnswer={save}
            onCancel={() => setPasskey(null)}
          />
        </Box>
      )}
      {made && !made.link && <NextSteps username={made.user.username} origin={desk.origin} onBack={onBack} />}
      {made?.link && <PasskeyLink user={made.user} link={made.link} onBack={onBack} />}
    </Frame>
  );
}

const unfinishedName = ({ bootstrap, superadmins }: Overview) =>
  bootstrap === 'unfinished' ? superadmins[0]?.username : undefined;
