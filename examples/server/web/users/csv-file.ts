import type { ListedUser } from 'latchkey/client';

const columns: readonly (readonly [string, (user: ListedUser) => string | number | null | undefined])[] = [
  ['username', ({ username }) => username],
  ['displayName', ({ displayName }) => displayName],
  ['role', ({ role }) => role],
  ['status', ({ status }) => status],
  ['passkeys', ({ passkeyCount }) => passkeyCount],
  ['organizations', ({ organizationCount }) => organizationCount],
  ['lastSignInAt', ({ lastSignIn }) => lastSignIn?.at],
  ['lastSignInMethod', ({ lastSignIn }) => lastSignIn?.method],
  ['createdAt', ({ createdAt }) => createdAt],
  ['id', ({ id }) => id],
];

/** A file for spreadsheets (RFC 4180). The byte order mark tells Excel that the text is UTF-8. */
export const csvFile = (users: readonly ListedUser[]): string =>
  `\uFEFF${[columns.map(([name]) => name), ...users.map((user) => columns.map(([, read]) => read(user)))]
    .map((values) => `${values.map(field).join(',')}\r\n`)
    .join('')}`;

// The same rule as in the audit log's export: a spreadsheet must not run a display name as a formula.
const startsFormula = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const innerFormula = /(?<=[;\t\r\n][\s"]*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g;

function field(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return `${value}`;
  const inner = value.replace(innerFormula, "'$&");
  const text = startsFormula.test(value) ? `'${inner}` : inner;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
