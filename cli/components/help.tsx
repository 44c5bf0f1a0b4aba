import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useKeys } from '../hooks/keyboard.tsx';
import { useDialogKeys } from './dialog-keys.ts';
import type { KeyHint } from './key-hints.tsx';
import { Text } from './text.tsx';

const everywhere: KeyHint[] = [
  { keys: 'esc ← h q', does: 'go back' },
  { keys: '?', does: 'show this help' },
  { keys: 'ctrl-c', does: 'quit' },
];

const anyKey: KeyHint[] = [{ keys: 'any key', does: 'go back' }];

/** The help, which lists all keys of a screen. Any key closes the help. */
export function Help({ keys, onClose }: { keys: readonly KeyHint[]; onClose: () => void }): ReactNode {
  useKeys(onClose, { modal: true });
  useDialogKeys(anyKey);
  const known = new Set(keys.flatMap(({ keys }) => keys.split(' ')));
  const others = everywhere.filter(({ keys }) => !keys.split(' ').some((key) => known.has(key)));
  return (
    <Box flexDirection="column" paddingX={2} paddingTop={1}>
      {[...keys, ...others].map(({ keys, does, means }) => (
        <Box key={keys}>
          <Box width={18} flexShrink={0}>
            <Text bold>{keys}</Text>
          </Box>
          <Text wrap="truncate">{means ?? does}</Text>
        </Box>
      ))}
    </Box>
  );
}
