import type { Key } from 'ink';

export interface Press {
  /** A name such as `up`, `enter` or `ctrl+u`, or the character itself. */
  name: string;
  /** The entered text. Pasted text can have several characters. */
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
  // Ink reports the Backspace key of most terminals as `delete`.
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
] as const satisfies [keyof Key, string][];

/** Splits Ink's input into key presses, because fast typing and pasted text arrive as one input. */
export function pressesOf(input: string, key: Key): Press[] {
  if (key.tab) return [{ name: key.shift ? 'shift+tab' : 'tab' }];
  const name = named.find(([flag]) => key[flag])?.[1];
  if (name) return [{ name }];
  if (key.ctrl) return input.length === 1 ? [{ name: `ctrl+${input}` }] : [];
  const written = input.replaceAll('\r\n', '\r').match(/\p{Cc}|\P{Cc}+/gu) ?? [];
  const presses = written.flatMap(pressOf);
  // Ink reports the same input for two cases: Escape followed by a letter, and Alt together with that letter.
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
