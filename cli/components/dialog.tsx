import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useDialogKeys } from './dialog-keys.ts';
import type { KeyHint } from './key-hints.tsx';
import { Text } from './text.tsx';

/** The part of a screen below a line, which has the keys to itself. */
export function Dialog({
  title,
  keys,
  colour = 'cyan',
  height,
  isFirst = false,
  children,
}: {
  title: string;
  keys: readonly KeyHint[];
  /** Nothing stands above it. */
  isFirst?: boolean;
  colour?: string;
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
      borderColor={colour}
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
