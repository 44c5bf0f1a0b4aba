import type { ReactNode } from 'react';
import { Text } from '../../components/text.tsx';
import { passwordStrength } from './password-strength.ts';

const colors = ['red', 'red', 'yellow', 'green', 'green'];

export function StrengthMeter({ password, minLength }: { password: string; minLength: number }): ReactNode {
  const { level, text } = passwordStrength(password, minLength);
  return (
    <Text color={colors[level] ?? 'red'}>
      {'■'.repeat(level)}
      {'□'.repeat(4 - level)} {text}
    </Text>
  );
}
