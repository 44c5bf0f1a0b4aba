import { useEffect, useState } from 'preact/hooks';

/** Pages whose links contain a token in the URL fragment. */
type LinkedPage = '/recover' | '/invitation' | '/join' | '/impersonate';

const linkedPages: readonly string[] = [
  '/recover',
  '/invitation',
  '/join',
  '/impersonate',
] satisfies LinkedPage[];
const tokens = new Map<string, string>();

/**
 * Removes the token of a link from the URL, so that no history entry, bookmark or screenshot shows the token. Keeps the
 * token in memory, also during a sign-in. A reload loses the token.
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
    // Opening another link in this tab changes only the fragment and loads no new document.
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
