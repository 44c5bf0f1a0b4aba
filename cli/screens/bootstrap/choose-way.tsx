import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { Text } from '../../components/text.tsx';
import { useKeys } from '../../hooks/keyboard.tsx';
import { isBack } from '../screen.ts';

const methods = [
  {
    passkey: true,
    title: 'With a passkey',
    about: 'creates a single-use link to open on the device that will hold the passkey',
  },
  {
    passkey: false,
    title: 'With a password',
    about: 'asks for the password now; the superadmin can add a passkey later',
  },
];

export function ChooseWay({
  onChoose,
  onBack,
}: {
  onChoose: (passkey: boolean) => void;
  onBack: () => void;
}): ReactNode {
  const [at, setAt] = useState(0);
  useKeys(({ name }) => {
    if (isBack(name)) onBack();
    else if (name === 'enter') onChoose(at === 0);
    else if (['up', 'k', 'down', 'j', 'tab'].includes(name)) setAt((last) => 1 - last);
  });
  return (
    <Box flexDirection="column" padding={1} rowGap={1}>
      <Text bold>How will the superadmin sign in?</Text>
      {methods.map(({ title, about }, index) => (
        <Box key={title} flexDirection="column">
          <Text bold={index === at}>
            <Text color="cyan">{index === at ? '› ' : '  '}</Text>
            {title}
          </Text>
          <Box paddingLeft={2}>
            <Text dimColor>{about}</Text>
          </Box>
        </Box>
      ))}
    </Box>
  );
}
