/**
 * The path to open after a sign-in: `target` if it is a path on this site, otherwise `/`.
 *
 * Anyone can write a link to the sign-in page. If the sign-in page redirected to another site, a forged page there would
 * look credible.
 */
export function returnPath(target: string | undefined, origin: string): string {
  // Browsers read a backslash as a slash, and ignore tabs and line breaks. No path of this site has these characters.
  if (!target?.startsWith('/') || /[\\\p{Cc}]/u.test(target)) return '/';
  if (!URL.canParse(target, origin)) return '/';
  const url = new URL(target, origin);
  // The browser removes dot segments, which turns `/.//evil.example` into the URL of another site.
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}`;
}

/** The URL of a page for visitors, with the path to return to. */
export const withReturnPath = (page: string, to: string | undefined): string =>
  to === undefined || to === '/' ? page : `${page}?to=${encodeURIComponent(to)}`;

/** The URL of the sign-in page, with the path to return to. */
export const signInPath = (from: string): string => withReturnPath('/signin', from);
