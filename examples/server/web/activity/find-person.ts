import { auth } from '../auth.ts';

const pattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export const isId = (text: string): boolean => pattern.test(text);

const mostOnPage = 200;

/** The id of the user with a username. Null: no such user is visible to the caller. */
export async function findPerson(username: string, signal?: AbortSignal): Promise<string | null> {
  const wanted = username.toLowerCase();
  let cursor: string | null = null;
  do {
    // Display names match the search too, so the user can be on a later page.
    const page: Awaited<ReturnType<typeof auth.users.list>> = await auth.users.list(
      { search: username, limit: mostOnPage, cursor },
      signal && { signal },
    );
    const found = page.users.find((user) => user.username === wanted);
    if (found) return found.id;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return null;
}
