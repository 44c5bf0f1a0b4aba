import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

/** Redirects and replaces the history entry, so that the back button skips this page. */
export function Redirect({ to }: { to: string }) {
  const { route } = useLocation();
  useLayoutEffect(() => route(to, true), [to, route]);
  return null;
}
