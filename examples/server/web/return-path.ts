/**
 * The path to go to after signing in: the one from the address bar if it is on this site, otherwise the start page.
 *
 * Anyone can write a link to the sign-in page. If it could lead to another site, it would make a forged page credible.
 */
export function returnPath(target: string | undefined, origin: string): string {
  // Browsers read a backslash as a slash, and ignore tabs and line breaks. No path of this site contains any.
  if (!target?.startsWith('/') || /[\\\p{Cc}]/u.test(target)) return '/';
  if (!URL.canParse(target, origin)) return '/';
  const url = new URL(target, origin);
  // Removing dot segments can turn a path into another site's address: `/.//evil.example`.
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}`;
}

/** The address of a page for visitors, with the path to return to. */
export const withReturnPath = (page: string, to: string | undefined): string =>
  to === undefined || to === '/' ? page : `${page}?to=${encodeURIComponent(to)}`;

/** The sign-in page's address, with the path to return to. */
export const signInPath = (from: string): string => withReturnPath('/signin', from);
