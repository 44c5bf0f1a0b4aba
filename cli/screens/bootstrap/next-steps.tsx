import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Text } from '../../components/text.tsx';
import { useKeys } from '../../hooks/keyboard.tsx';
import { isBack, isOpen } from '../screen.ts';

/** The next steps of a superadmin with a password. */
export function NextSteps({
  username,
  origin,
  onBack,
}: {
  username: string;
  origin: string;
  onBack: () => void;
}): ReactNode {
  useKeys(({ name }) => {
    if (isBack(name) || isOpen(name)) onBack();
  });
  const steps = [
    `Sign in at ${origin} as ${username}.`,
    'Add two passkeys, in case you lose one.',
    'Create recovery codes and keep them offline.',
    'Remove the password.',
    'Make another user a superadmin, in case you lose access.',
  ];
  return (
    <Box flexDirection="column" padding={1}>
      <Text color="green">✓ {username} is a superadmin.</Text>
      <Text> </Text>
      {steps.map((step, index) => (
        <Text key={step}>
          {index + 1}. {step}
        </Text>
      ))}
    </Box>
  );
}
