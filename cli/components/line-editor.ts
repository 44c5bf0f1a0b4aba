import type { Press } from '../hooks/presses.ts';

/** A line of input. `cursor` counts the characters before the cursor. */
export interface Line {
  text: string;
  cursor: number;
}

export const lineOf = (text: string): Line => ({ text, cursor: [...text].length });

/** Returns the line after a key press, or null if the key is not for editing. */
export function editLine(line: Line, press: Press): Line | null {
  const characters = [...line.text];
  const before = characters.slice(0, line.cursor);
  const after = characters.slice(line.cursor);
  const lineFrom = (start: string[], end: string[]): Line => ({
    text: [...start, ...end].join(''),
    cursor: start.length,
  });
  if (press.text !== undefined) return lineFrom([...before, ...press.text], after);
  switch (press.name) {
    case 'backspace':
      return lineFrom(before.slice(0, -1), after);
    case 'left':
    case 'ctrl+b':
      return { ...line, cursor: Math.max(0, line.cursor - 1) };
    case 'right':
    case 'ctrl+f':
      return { ...line, cursor: Math.min(characters.length, line.cursor + 1) };
    case 'home':
    case 'ctrl+a':
      return { ...line, cursor: 0 };
    case 'end':
    case 'ctrl+e':
      return { ...line, cursor: characters.length };
    case 'ctrl+u':
      return lineFrom([], after);
    case 'ctrl+k':
      return lineFrom(before, []);
    case 'ctrl+w':
      return lineFrom([...before.join('').replace(/\S*\s*$/u, '')], after);
    default:
      return null;
  }
}
