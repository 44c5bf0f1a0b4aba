/**
 * The path to go to after signing in, if what the address bar says is one of this site; else the start page.
 *
 * Anyone can write a link to our sign-in page: a target elsewhere would lend our name to somebody's forgery.
 */
export function returnPath(target: string | undefined, origin: string): string {
  // Browsers read a backslash as a slash, and ignore tabs and line breaks: no honest path has any.
  if (!target?.startsWith('/') || /[\\\p{Cc}]/u.test(target)) return '/';
  if (!URL.canParse(target, origin)) return '/';
  const url = new URL(target, origin);
  // Without its dots a path can turn into somebody's address: `/.//evil.example`.
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}`;
}

/** The address of a page for people outside, remembering where somebody was going. */
export const withReturnPath = (page: string, to: string | undefined): string =>
  to === undefined || to === '/' ? page : `${page}?to=${encodeURIComponent(to)}`;

/** The sign-in page's address, remembering where somebody was going. */
export const signInPath = (from: string): string => withReturnPath('/signin', from);
