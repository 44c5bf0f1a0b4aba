import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import { editLine, lineOf } from '../../../cli/components/line-editor.ts';
import { pressesOf } from '../../../cli/hooks/presses.ts';
import { passwordProblem, passwordStrength } from '../../../cli/screens/bootstrap/password-strength.ts';

const noKey = {} as Key;

describe('text input', () => {
  it('is split into text and keys', () => {
    expect(pressesOf('root\r', noKey)).toEqual([{ name: 'root', text: 'root' }, { name: 'enter' }]);
    expect(pressesOf('a\r\nb\x7f\x03', noKey).map(({ name }) => name)).toEqual([
      'a',
      'enter',
      'b',
      'backspace',
      'ctrl+c',
    ]);
    expect(pressesOf('', { ...noKey, delete: true })).toEqual([{ name: 'backspace' }]);
    expect(pressesOf('j', { ...noKey, meta: true }).map(({ name }) => name)).toEqual(['escape', 'j']);
  });

  it('is edited by whole characters, not by single surrogates', () => {
    const typed = editLine(lineOf('a😀'), { name: 'backspace' });
    expect(typed).toEqual({ text: 'a', cursor: 1 });
    const inside = editLine({ text: 'ad', cursor: 1 }, { name: 'x', text: 'x' });
    expect(inside).toEqual({ text: 'axd', cursor: 2 });
    expect(editLine(lineOf('one two'), { name: 'ctrl+w' })).toEqual({ text: 'one ', cursor: 4 });
    expect(editLine(lineOf('one'), { name: 'ctrl+u' })).toEqual({ text: '', cursor: 0 });
    expect(editLine(lineOf('one'), { name: 'pagedown' })).toBeNull();
  });

  it('is rated as a weak password if it is short, repetitive or consecutive', () => {
    expect(passwordStrength('1234567', 8).level).toBe(0);
    expect(passwordStrength('abcdefghijklmnop', 8).level).toBe(1);
    expect(passwordStrength('aaaaaaaaaaaaaaaaaaaa', 8).level).toBe(1);
    expect(passwordStrength('Tr0ub4d&', 8).level).toBe(1);
    expect(passwordStrength('correct horse battery', 8).level).toBe(4);
  });

  it('is rejected as a password if it is too short, too long (over 128 characters) or equal to the username', () => {
    expect(passwordProblem('1234567', 'ada', 8)).toContain('8 characters');
    expect(passwordProblem('ä'.repeat(129), 'ada', 8)).toContain('128 characters');
    expect(passwordProblem('Ada-Lovelace', 'ada-lovelace', 8)).toBe(
      'The password must differ from the username.',
    );
    expect(passwordProblem('ä'.repeat(128), 'ada', 8)).toBeNull();
  });

  it('is rejected as a password if it has fewer characters than the service requires', () => {
    expect(passwordProblem('x'.repeat(14), 'ada', 15)).toContain('15 characters');
    expect(passwordProblem('x'.repeat(15), 'ada', 15)).toBeNull();
    expect(passwordStrength('a wet towel', 15)).toEqual({ level: 0, text: 'too short: 4 more' });
  });
});
