import type { Key } from 'ink';

/** One press of a key. */
export interface Press {
  /** `up`, `enter`, `ctrl+u`; of what can be written, itself. */
  name: string;
  /** What it writes; several characters where they came at once, as pasted ones do. */
  text?: string;
}

const named = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  // What terminals send for Backspace, Ink calls delete.
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
] as const satisfies [keyof Key, string][];

/** What Ink heard, one press after the other: of fast typing and of pasted text it hears many at once. */
export function pressesOf(input: string, key: Key): Press[] {
  if (key.tab) return [{ name: key.shift ? 'shift+tab' : 'tab' }];
  const name = named.find(([flag]) => key[flag])?.[1];
  if (name) return [{ name }];
  if (key.ctrl) return input.length === 1 ? [{ name: `ctrl+${input}` }] : [];
  const written = input.replaceAll('\r\n', '\r').match(/\p{Cc}|\P{Cc}+/gu) ?? [];
  const presses = written.flatMap(pressOf);
  // Escape and a letter that follow each other closely look like Alt and the letter.
  return key.meta ? [{ name: 'escape' }, ...presses] : presses;
}

function pressOf(text: string): Press[] {
  if (!/^\p{Cc}$/u.test(text)) return [{ name: text, text }];
  if (text === '\r' || text === '\n') return [{ name: 'enter' }];
  if (text === '\t') return [{ name: 'tab' }];
  if (text === '\x7f' || text === '\b') return [{ name: 'backspace' }];
  const code = text.charCodeAt(0);
  return code >= 1 && code <= 26 ? [{ name: `ctrl+${String.fromCharCode(code + 96)}` }] : [];
}
