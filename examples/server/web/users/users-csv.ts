import type { ListedUser } from 'latchkey/client';
import { auth } from '../auth.ts';
import { filtersOf, type UsersQuery } from './users-query.ts';

/** The service counts up to this number of users. */
export const mostInCsv = 10_000;
const usersInRequest = 200;

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

/** Reads all users of a list. @returns the CSV file, and whether it ends before the last user */
export async function csvOf(query: UsersQuery): Promise<{ csv: string; isCut: boolean }> {
  const filters = { ...filtersOf(query), limit: usersInRequest, include: ['details'] } as const;
  const users: ListedUser[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof auth.users.list>> = await auth.users.list({ ...filters, cursor });
    users.push(...page.users);
    cursor = page.nextCursor;
  } while (cursor !== null && users.length < mostInCsv);
  return { csv: csvFile(users), isCut: cursor !== null };
}

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
