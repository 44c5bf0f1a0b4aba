import { auth } from '../auth.ts';

const pattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export const isId = (text: string): boolean => pattern.test(text);

const mostOnPage = 200;

/** Finds the id of the user with this username. Null: the caller can see no such user. */
export async function findPerson(username: string, signal?: AbortSignal): Promise<string | null> {
  const wanted = username.toLowerCase();
  let cursor: string | null = null;
  do {
    // The search also finds parts of usernames and display names, so the user can be on a later page.
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
