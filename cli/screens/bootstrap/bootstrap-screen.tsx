import { Box } from 'ink';
import type { BootstrapResult, Overview } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { bootstrapReasonOf } from '../../bootstrap-reason.ts';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import { useCliContext } from '../../hooks/cli-context.ts';
import { usePoll } from '../../hooks/poll.ts';
import { useTask } from '../../hooks/task.ts';
import type { ScreenProps } from '../screen.ts';
import { type Answers, BootstrapForm } from './bootstrap-form.tsx';
import { ChooseWay } from './choose-way.tsx';
import { NextSteps } from './next-steps.tsx';
import { PasskeyLink } from './passkey-link.tsx';

const chooseHints: KeyHint[] = [
  { keys: '↑↓ j k', does: 'move' },
  { keys: 'enter', does: 'choose' },
  { keys: 'esc', does: 'back' },
];
const doneHints: KeyHint[] = [{ keys: 'esc', does: 'home' }];

/** Asks for the sign-in method, the username and the password, then creates the superadmin. */
export function BootstrapScreen({ onBack }: ScreenProps): ReactNode {
  const context = useCliContext();
  const run = useTask();
  const [passkey, setPasskey] = useState<boolean | null>(null);
  const [attempt, setAttempt] = useState<{ username?: string; number: number }>({ number: 0 });
  const [created, setCreated] = useState<BootstrapResult | null>(null);
  const {
    data: overview,
    problem,
    isWaiting,
  } = usePoll(() => context.operator.overview(), {
    everyMs: 5000,
    enabled: passkey === null,
  });

  const save = async (answers: Answers) => {
    const again = overview && bootstrapReasonOf(overview) === 'again';
    const request = { ...answers, ...(again && { again }) };
    const result = await run(
      'Creating the superadmin…',
      () => context.operator.bootstrap(request),
      () => null,
    );
    if (result) setCreated(result);
    else setAttempt({ username: answers.username, number: attempt.number + 1 });
  };

  const stage = created ? 'done' : passkey === null ? 'choose' : 'ask';
  return (
    <Frame
      title="Bootstrap"
      keys={stage === 'done' ? doneHints : chooseHints}
      problem={problem}
      isWaiting={isWaiting}
    >
      {stage === 'choose' && <ChooseWay onChoose={setPasskey} onBack={onBack} />}
      {stage === 'ask' && (
        <Box flexDirection="column" padding={1} rowGap={1}>
          <Text bold>Who will be the superadmin?</Text>
          <BootstrapForm
            key={attempt.number}
            check={context.checkUsername}
            passwordMinLength={context.passwordMinLength}
            passkey={passkey ?? true}
            username={attempt.username}
            reusable={overview && unfinishedName(overview)}
            onAnswer={save}
            onCancel={() => setPasskey(null)}
          />
        </Box>
      )}
      {created && !created.link && (
        <NextSteps username={created.user.username} origin={context.origin} onBack={onBack} />
      )}
      {created?.link && <PasskeyLink user={created.user} link={created.link} onBack={onBack} />}
    </Frame>
  );
}

const unfinishedName = ({ unfinishedSuperadmin }: Overview) => unfinishedSuperadmin ?? undefined;
