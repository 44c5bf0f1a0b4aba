import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRecord } from '../../src/core/csv.ts';
import { forAll, wellFormedText } from './support/for-all.ts';

const dangerous = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠;,\t\r\n"\' ab1'), maxLength: 12 });
const cell = fc.oneof(dangerous, wellFormedText(20), fc.integer(), fc.constant(null));

/** Splits a file as RFC 4180 says. */
function parse(text: string): string[][] {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let record: string[] = [];
  for (let match = field.exec(text); match; match = field.exec(text)) {
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      records.push(record);
      record = [];
    }
    if (field.lastIndex === text.length) return records;
  }
  throw new Error(`not a CSV file: ${JSON.stringify(text)}`);
}

const withoutApostrophes = (value: string) => value.replaceAll("'", '');

test('a CSV file has the given cells, apart from apostrophes', () => {
  forAll(
    [fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })],
    (rows) => {
      const expected = rows.map((row) => row.map((value) => withoutApostrophes(`${value ?? ''}`)));
      const parsed = parse(rows.map(csvRecord).join(''));
      expect(parsed.map((row) => row.map(withoutApostrophes))).toEqual(expected);
    },
    500,
  );
});

test('no text cell is a formula, whether a spreadsheet splits the file at commas, semicolons or tabs', () => {
  forAll(
    [fc.array(fc.oneof(dangerous, wellFormedText(20)), { minLength: 1, maxLength: 4 })],
    (row) => {
      const text = csvRecord(row);
      const read = parse(text)
        .flat()
        .filter((one) => /^\s*[=+\-@＝＋－＠]/.test(one));
      // Without the quotation marks that follow a separator, because a spreadsheet can drop them.
      const split = text
        .split(/[;\t\r\n]/)
        .slice(1)
        .filter((one) => /^[\s"]*[=+\-@＝＋－＠]/.test(one));
      expect([...read, ...split]).toEqual([]);
    },
    2000,
  );
});
