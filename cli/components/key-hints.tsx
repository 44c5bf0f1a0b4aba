import type { ReactNode } from 'react';
import { Text } from './text.tsx';

export interface KeyHint {
  keys: string;
  /** A few words, such as `copy link`. */
  does: string;
  /** A longer description for the help. */
  means?: string;
  /** Shown only in the help. */
  hidden?: boolean;
}

const gap = 3;
export const help: KeyHint = { keys: '?', does: 'help' };
const widthOf = ({ keys, does }: KeyHint) => keys.length + 1 + does.length;

/** Shows as many hints as fit. Always shows the last hint, which is usually the help. */
export function KeyHints({ keys, columns }: { keys: readonly KeyHint[]; columns: number }): ReactNode {
  const visible = keys.filter(({ hidden }) => !hidden);
  const last = visible.slice(-1);
  let room = columns - 2 - last.reduce((width, hint) => width + widthOf(hint), 0);
  const shown: KeyHint[] = [];
  for (const hint of visible.slice(0, -1)) {
    room -= widthOf(hint) + gap;
    if (room < 0) break;
    shown.push(hint);
  }
  return (
    <Text wrap="truncate">
      {[...shown, ...last].map((hint, index) => (
        <Text key={hint.keys}>
          {' '.repeat(index === 0 ? 1 : gap)}
          <Text bold>{hint.keys}</Text> <Text dimColor>{hint.does}</Text>
        </Text>
      ))}
    </Text>
  );
}
