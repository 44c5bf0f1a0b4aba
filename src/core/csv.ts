/**
 * Returns one record of a CSV file (RFC 4180), with its line break.
 *
 * Spreadsheets read a value that begins with a character such as `=` as a formula, which can send data to an attacker
 * (OWASP "CSV Injection"). An apostrophe before the value prevents this. A number never needs the apostrophe.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvRecord = (values: readonly (string | number | null)[]): string =>
  `${values.map(field).join(',')}\r\n`;

const startsFormula = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return `${value}`;
  const text = startsFormula.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
