/**
 * Returns one record of a CSV file (RFC 4180), with its line break.
 *
 * Spreadsheets read a cell that begins with a character such as `=` as a formula, which can send data to an attacker
 * (OWASP "CSV Injection"). An apostrophe before the character prevents this. A number never needs the apostrophe.
 *
 * An inner separator can also begin a cell. In many locales, Excel splits a file at `;` and not at commas. A quotation
 * mark after a comma then has no meaning, so quoting every value would not help. For this reason, an apostrophe is also
 * inserted after a semicolon, a tab or a line break if a formula would follow. Most user agents stay as they are.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection "You also need to take care of the field separator"
 */
export const csvRecord = (values: readonly (string | number | null)[]): string =>
  `${values.map(field).join(',')}\r\n`;

const startsFormula = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
// Excel drops quotation marks before a formula. The lookbehind keeps the time linear.
const innerFormula = /(?<=[;\t\r\n][\s"]*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g;

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return `${value}`;
  const inner = value.replace(innerFormula, "'$&");
  const text = startsFormula.test(value) ? `'${inner}` : inner;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
