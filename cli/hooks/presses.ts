import type { Key } from 'ink';

/** A key press. */
export interface Press {
  /** `up`, `enter`, `ctrl+u`, or the character itself. */
  name: string;
  /** The text it enters; several characters if they were pasted. */
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
  // Terminals send for Backspace what Ink calls delete.
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
] as const satisfies [keyof Key, string][];

/** Splits Ink's input into key presses: fast typing and pasted text arrive as one input. */
export function pressesOf(input: string, key: Key): Press[] {
  if (key.tab) return [{ name: key.shift ? 'shift+tab' : 'tab' }];
  const name = named.find(([flag]) => key[flag])?.[1];
  if (name) return [{ name }];
  if (key.ctrl) return input.length === 1 ? [{ name: `ctrl+${input}` }] : [];
  const written = input.replaceAll('\r\n', '\r').match(/\p{Cc}|\P{Cc}+/gu) ?? [];
  const presses = written.flatMap(pressOf);
  // Escape followed quickly by a letter looks like Alt with the letter.
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
