import { expect, test } from 'vitest';
import { csvRecord } from '../../src/core/csv.ts';

test.each([
  ['plain values', ['ada', 3, null, ''], 'ada,3,,'],
  ['quotation marks, commas and line breaks', ['a"b', 'a,b', 'a\r\nb'], '"a""b","a,b","a\r\nb"'],
  ['negative numbers', [-3], '-3'],
])('writes %s', (_, values, expected) => {
  expect(csvRecord(values)).toBe(`${expected}\r\n`);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1', '＋1', '－1', '＠1'])(
  'writes an apostrophe before a value that a spreadsheet would read as a formula: %j',
  (value) => {
    expect(csvRecord([value])).toBe(`"'${value}"\r\n`);
  },
);

test.each(['a=1', "it's", '{"a":"=1"}'])('writes no apostrophe before %j', (value) => {
  expect(csvRecord([value]).replaceAll('"', '')).toBe(`${value.replaceAll('"', '')}\r\n`);
});
