import { auth } from '../auth.ts';

const pattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export const isId = (text: string): boolean => pattern.test(text);

const mostOnPage = 200;
/** A link can contain any text, and a short text is the beginning of many names. */
const mostPages = 5;

/** Finds the id of the user with this username. Null: the caller can see no such user. */
export async function findPerson(username: string, signal?: AbortSignal): Promise<string | null> {
  const wanted = username.toLowerCase();
  let cursor: string | null = null;
  let pages = 0;
  do {
    // The search also finds longer usernames and display names, so the user can be on a later page.
    const page: Awaited<ReturnType<typeof auth.users.list>> = await auth.users.list(
      { query: username, limit: mostOnPage, cursor },
      signal && { signal },
    );
    const found = page.users.find((user) => user.username === wanted);
    if (found) return found.id;
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== null && pages < mostPages);
  return null;
}
