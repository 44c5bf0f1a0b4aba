import type { ReactNode } from 'react';
import { Text } from '../../components/text.tsx';
import { passwordStrength } from './password-strength.ts';

const colours = ['red', 'red', 'yellow', 'green', 'green'];

export function StrengthMeter({ password }: { password: string }): ReactNode {
  const { level, words } = passwordStrength(password);
  return (
    <Text color={colours[level] ?? 'red'}>
      {'■'.repeat(level)}
      {'□'.repeat(4 - level)} {words}
    </Text>
  );
}
