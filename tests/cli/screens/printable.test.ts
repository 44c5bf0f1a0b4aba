import { describe, expect, test } from 'vitest';
import { facts, table } from '../../../cli/output.ts';
import { printable, printableJson, printableLines, widthOf } from '../../../cli/words/printable.ts';

describe('text from a user', () => {
  test.each([
    ['C0 controls', 'a\x1b[2Jb\nc\rd\te\x07', 'a\\u001b[2Jb\\u000ac\\u000dd\\u0009e\\u0007'],
    ['C1 controls', 'a\u009b2Jb\u0085', 'a\\u009b2Jb\\u0085'],
    ['DEL', 'a\x7f', 'a\\u007f'],
    [
      'bidirectional embeddings and overrides',
      '\u202a\u202b\u202c\u202d\u202e',
      '\\u202a\\u202b\\u202c\\u202d\\u202e',
    ],
    ['bidirectional isolates', '\u2066\u2067\u2068\u2069', '\\u2066\\u2067\\u2068\\u2069'],
    ['directional marks', '\u200e\u200f\u061c', '\\u200e\\u200f\\u061c'],
    [
      'characters without width',
      '\u200b\u200c\u2060\ufeff\u00ad\u3164',
      '\\u200b\\u200c\\u2060\\ufeff\\u00ad\\u3164',
    ],
    ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
  ])('is printed with escapes for %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
    expect(printable(printable(text))).toBe(expected);
  });

  test.each([
    'Ada Lovelace',
    'Grüße',
    '山田太郎',
    'محمد',
    'Zoë',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '👩🏽',
    'a\\u202e',
  ])('is printed unchanged if it is %s', (text) => {
    expect(printable(text)).toBe(text);
  });

  test('is printed with single emoji instead of joined emoji, whose width depends on the terminal', () => {
    expect(printable('👩🏽\u200d💻 👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥')).toBe('👩🏽💻 👨👩👧 ❤\ufe0f🔥');
    expect(printable('a\u200db')).toBe('a\\u200db');
  });

  test('keeps the line breaks if it is printed with printableLines', () => {
    expect(printableLines('one\ntwo\u202e')).toBe('one\ntwo\\u202e');
  });
});

test('printableJson escapes control and invisible characters, and the JSON parses to the same value', () => {
  const value = { name: 'a\u202eb\u009b\u200b\n\u2028\u{e0041}❤\ufe0f山', list: ['\u2066'] };
  for (const indent of [undefined, 2]) {
    const json = printableJson(value, indent);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toContain('a\\u202eb\\u009b\\u200b\\n\\u2028\\udb40\\udc41❤');
    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

describe('a table', () => {
  const rows = [
    ['ada', 'one'],
    ['山田太郎', 'two'],
    ['👩🏽\u200d💻', 'three'],
    ['x\u202e\n\u200b', 'four'],
    ['Zoe\u0308', 'five'],
  ];
  const lines = table(['NAME', 'NUMBER'], rows).split('\n');

  test('has one line per row, even if a cell contains line breaks', () => {
    expect(lines).toHaveLength(rows.length + 1);
  });

  test('aligns columns by the width of characters on the screen', () => {
    const columns = ['NUMBER', 'one', 'two', 'three', 'four', 'five'].map((cell, n) =>
      widthOf(lines[n]?.slice(0, lines[n].lastIndexOf(cell)) ?? ''),
    );
    expect(new Set(columns)).toEqual(new Set([widthOf('x\\u202e\\u000a\\u200b') + 2]));
  });

  test('of facts has one line per fact', () => {
    expect(
      facts([
        ['Name', 'a\nb\u202e'],
        ['ID', '1'],
      ]).split('\n'),
    ).toEqual(['Name  a\\u000ab\\u202e', 'ID    1']);
  });
});
