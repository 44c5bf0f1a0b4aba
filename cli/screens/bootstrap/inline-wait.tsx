import { Box } from 'ink';
import { type ReactNode, useEffect } from 'react';
import { Text } from '../../components/text.tsx';
import { type AwaitedPasskey, useAwaitedPasskey, type Waiting } from './awaited-passkey.ts';
import { WaitingLine } from './waiting-line.tsx';

/** The output below a printed link. It shows whether the user has added the passkey. */
export function InlineWait({
  awaited,
  onEnd,
}: {
  awaited: AwaitedPasskey;
  onEnd: (end: NonNullable<Waiting['end']>) => void;
}): ReactNode {
  const waiting = useAwaitedPasskey(awaited);
  const { end } = waiting;
  useEffect(() => {
    if (end !== null) onEnd(end);
  }, [end, onEnd]);
  return (
    <Box flexDirection="column">
      <WaitingLine awaited={awaited} waiting={waiting} />
      {end === null && <Text dimColor>Press ctrl-c to stop waiting. The link stays valid.</Text>}
    </Box>
  );
}
