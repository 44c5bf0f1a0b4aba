import type { ReactNode } from 'react';
import { Spinner } from '../../components/spinner.tsx';
import { Text } from '../../components/text.tsx';
import { useClock } from '../../hooks/clock.ts';
import { leftWords } from '../../words/times.ts';
import type { AwaitedPasskey, Waiting } from './awaited-passkey.ts';

/** How the waiting for a passkey stands; the greeting once it is there. */
export function WaitingLine({
  awaited: { username, expiresAt },
  waiting: { end, trouble },
}: {
  awaited: AwaitedPasskey;
  waiting: Waiting;
}): ReactNode {
  const clock = useClock();
  if (end === 'done') return <Text color="green">✓ Welcome, {username}: your passkey is registered.</Text>;
  if (end === 'expired')
    return <Text color="red">✗ The link has expired. Bootstrap again for a new one.</Text>;
  if (trouble) return <Text color="yellow">! {trouble}</Text>;
  return (
    <Text>
      <Spinner /> Waiting for {username} to register a passkey: {leftWords(expiresAt, clock.now())} left.
    </Text>
  );
}
