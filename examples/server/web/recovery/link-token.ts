import { useEffect, useState } from 'preact/hooks';

let token: string | null = null;

/**
 * Takes the token of an administrator's link out of the address bar, before it can get into the history, a bookmark
 * or a photograph of the screen. It is kept in this page's memory, until somebody says that it is to be used.
 */
export function takeLinkToken(): void {
  if (location.pathname !== '/recover') return;
  const found = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!found) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  token = found;
}

/** The token of the link that led here, or null. */
export function useLinkToken() {
  const [held, setHeld] = useState(token);

  useEffect(() => {
    // A link that is opened where this page is open already changes nothing but the fragment.
    const onChange = () => {
      takeLinkToken();
      setHeld(token);
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);

  const forget = () => {
    token = null;
    setHeld(null);
  };
  return { token: held, forget };
}
