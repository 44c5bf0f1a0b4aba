import { useEffect, useState } from 'preact/hooks';

/** Pages that links with a token in the fragment lead to. */
type LinkedPage = '/recover' | '/invitation' | '/join';

const linkedPages: readonly string[] = ['/recover', '/invitation', '/join'] satisfies LinkedPage[];
const tokens = new Map<string, string>();

/**
 * Removes a link's token from the address bar, before it reaches the history, a bookmark or a screenshot. The token
 * stays in this page's memory, also during a sign-in, until the user chooses to use it.
 */
export function takeLinkToken(): void {
  if (!linkedPages.includes(location.pathname)) return;
  const found = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!found) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  tokens.set(location.pathname, found);
}

/** The token of the link that led to this page, or null. */
export function useLinkToken(page: LinkedPage) {
  const [held, setHeld] = useState(tokens.get(page) ?? null);

  useEffect(() => {
    // Opening a link while this page is open changes only the fragment.
    const onChange = () => {
      takeLinkToken();
      setHeld(tokens.get(page) ?? null);
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, [page]);

  const forget = () => {
    tokens.delete(page);
    setHeld(null);
  };
  return { token: held, forget };
}
