import type { ReactNode } from 'react';
import { Spinner } from '../../components/spinner.tsx';
import { Text } from '../../components/text.tsx';
import { useClock } from '../../hooks/clock.ts';
import { timeLeft } from '../../words/times.ts';
import type { AwaitedPasskey, Waiting } from './awaited-passkey.ts';

export function WaitingLine({
  awaited: { username, expiresAt },
  waiting: { end, problem },
}: {
  awaited: AwaitedPasskey;
  waiting: Waiting;
}): ReactNode {
  const clock = useClock();
  if (end === 'done') return <Text color="green">✓ {username} has added a passkey.</Text>;
  if (end === 'expired')
    return <Text color="red">✗ The link has expired. Repeat the bootstrap to get a new link.</Text>;
  if (problem) return <Text color="yellow">! {problem}</Text>;
  return (
    <Text>
      <Spinner /> Waiting for {username} to add a passkey: {timeLeft(expiresAt, clock.now())} left.
    </Text>
  );
}
