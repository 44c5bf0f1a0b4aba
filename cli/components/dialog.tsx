import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useDialogKeys } from './dialog-keys.ts';
import type { KeyHint } from './key-hints.tsx';
import { Text } from './text.tsx';

/** A panel with its own keys, below the content of a screen. */
export function Dialog({
  title,
  keys,
  color = 'cyan',
  height,
  isFirst = false,
  children,
}: {
  title: string;
  keys: readonly KeyHint[];
  /** True: the screen has no content above the dialog, so the dialog has no border. */
  isFirst?: boolean;
  color?: string;
  height: number;
  children: ReactNode;
}): ReactNode {
  useDialogKeys(keys);
  return (
    <Box
      flexDirection="column"
      height={height}
      flexShrink={0}
      overflow="hidden"
      borderStyle="single"
      borderColor={color}
      borderTop={!isFirst}
      borderBottom={false}
      borderLeft={false}
      borderRight={false}
    >
      <Text bold wrap="truncate">
        {title}
      </Text>
      <Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
        {children}
      </Box>
    </Box>
  );
}
