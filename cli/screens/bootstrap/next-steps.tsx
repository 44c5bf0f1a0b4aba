import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Text } from '../../components/text.tsx';
import { useKeys } from '../../hooks/keyboard.tsx';
import { isBack, isOpen } from '../screen.ts';

/** What to do once there is a superadmin with a password. */
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
    'Add two passkeys: one may get lost.',
    'Make recovery codes and keep them on paper.',
    'Remove the password, if you need none.',
    'Make somebody else a superadmin, who can help you back in.',
  ];
  return (
    <Box flexDirection="column" padding={1}>
      <Text color="green">✓ {username} is superadmin.</Text>
      <Text> </Text>
      {steps.map((step, index) => (
        <Text key={step}>
          {index + 1}. {step}
        </Text>
      ))}
    </Box>
  );
}
