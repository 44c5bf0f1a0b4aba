import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Line } from './line-editor.ts';
import { Text } from './text.tsx';

/** A labeled text field. The cursor is a character, so that it is visible without color. */
export function Field({
  label,
  line,
  isActive,
  mask,
  width = 32,
  children,
}: {
  label: string;
  line: Line;
  isActive: boolean;
  mask?: string;
  /** How many characters are visible. */
  width?: number;
  /** A hint or an error beside the field. */
  children?: ReactNode;
}): ReactNode {
  const characters = [...line.text].map((character) => mask ?? character);
  const first = Math.max(0, Math.min(line.cursor - width + 1, characters.length - width + 1));
  const cut = (from: number, to: number) => characters.slice(from, to).join('');
  return (
    <Box flexWrap="wrap" columnGap={2}>
      <Text>
        <Text color="cyan">{isActive ? '› ' : '  '}</Text>
        <Text bold={isActive}>{label.padEnd(11)}</Text>
        {isActive ? cut(first, line.cursor) : cut(0, width)}
        {isActive && <Text color="cyan">▏</Text>}
        {isActive && cut(line.cursor, first + width)}
      </Text>
      {children}
    </Box>
  );
}
