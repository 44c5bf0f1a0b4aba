import { type ReactNode, useEffect, useState } from 'react';
import { useClock } from '../hooks/clock.ts';
import { Text } from './text.tsx';

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

export function Spinner(): ReactNode {
  const clock = useClock();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn schedules the next
  useEffect(() => clock.after(120, () => setTurn((last) => last + 1)), [clock, turn]);
  return <Text color="cyan">{frames[turn % frames.length]}</Text>;
}
