import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../hooks/keyboard.tsx';
import { useDialogKeys } from './dialog-keys.ts';
import type { KeyHint } from './key-hints.tsx';
import { editLine, lineOf } from './line-editor.ts';
import { Text } from './text.tsx';

const hints: KeyHint[] = [
  { keys: 'enter', does: 'search' },
  { keys: 'ctrl-u', does: 'clear' },
  { keys: 'esc', does: 'cancel' },
];

export function SearchPrompt({
  label,
  initial,
  onChange,
  onSubmit,
  onCancel,
}: {
  label: string;
  initial: string;
  onChange?: (text: string) => void;
  onSubmit: (text: string) => void;
  onCancel: () => void;
}): ReactNode {
  useDialogKeys(hints);
  const [line, setLine] = useState(lineOf(initial));
  useKeys(
    (press) => {
      if (press.name === 'escape') return onCancel();
      if (press.name === 'enter') return onSubmit(line.text.trim());
      const next = editLine(line, press);
      if (!next) return;
      setLine(next);
      if (next.text !== line.text) onChange?.(next.text.trim());
    },
    { modal: true, typing: true },
  );
  const characters = [...line.text];
  return (
    <Box height={1} paddingX={1}>
      <Text wrap="truncate">
        <Text bold>{label} </Text>
        {characters.slice(0, line.cursor).join('')}
        <Text color="cyan">▏</Text>
        {characters.slice(line.cursor).join('')}
      </Text>
    </Box>
  );
}
