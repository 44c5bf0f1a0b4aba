import type { ListedUser } from 'latchkey/client';
import { auth } from '../auth.ts';
import { csvFile } from './csv-file.ts';
import { filtersOf, type UsersQuery } from './users-query.ts';

/** The most users in a file. The service also counts only up to this number. */
export const mostInCsv = 10_000;
const usersInRequest = 200;

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
