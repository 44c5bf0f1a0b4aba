import { expect, test } from 'vitest';
import { csvRecord } from '../../src/core/csv.ts';

test.each([
  ['plain values', ['ada', 3, null, ''], 'ada,3,,'],
  ['quotation marks, commas and line breaks', ['a"b', 'a,b', 'a\r\nb'], '"a""b","a,b","a\r\nb"'],
  ['negative numbers', [-3], '-3'],
])('csvRecord writes %s', (_, values, expected) => {
  expect(csvRecord(values)).toBe(`${expected}\r\n`);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '\n1', ' =1', '＝1', '＋1', '－1', '＠1'])(
  'csvRecord writes an apostrophe before a value that a spreadsheet would read as a formula: %j',
  (value) => {
    expect(csvRecord([value])).toBe(`"'${value}"\r\n`);
  },
);

test.each(['a=1', "it's", '{"a":"=1"}'])('csvRecord writes no apostrophe before %j', (value) => {
  expect(csvRecord([value]).replaceAll('"', '')).toBe(`${value.replaceAll('"', '')}\r\n`);
});

test.each([
  ['Mozilla/5.0 (x;=1+1;) y', "Mozilla/5.0 (x;'=1+1;) y"],
  ['a; =1', "a; '=1"],
  ['a;;+1', "a;;'+1"],
  ['a;-1;@SUM(A1)', "a;'-1;'@SUM(A1)"],
  ['a\t=1', "a\t'=1"],
  ['a;\u00a0\t＝1', "a;\u00a0\t'＝1"],
  ['a;＋1;－1;＠1', "a;'＋1;'－1;'＠1"],
  ['a\n=1', "a\n'=1"],
  ['\t=1', "'\t'=1"],
  ['a;"=1', `a;"'=1`],
])(
  'csvRecord writes an apostrophe before a formula that follows a separator of another locale: %j',
  (value, expected) => {
    expect(csvRecord(['ada', value])).toBe(`ada,"${expected.replaceAll('"', '""')}"\r\n`);
  },
);

test.each([
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15',
  'a; b=1; c-d; e@f',
])('csvRecord does not change the user agent %s', (value) => {
  expect(csvRecord([value])).toBe(`${value}\r\n`);
});

test('csvRecord writes a value with 300,000 separators in less than five seconds of CPU time', () => {
  const start = process.cpuUsage();
  expect(csvRecord([`${';\t '.repeat(100_000)}x`])).toContain('x');
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(5);
});
