import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

/** Redirects without a history entry: the back button skips this page. */
export function Redirect({ to }: { to: string }) {
  const { route } = useLocation();
  useLayoutEffect(() => route(to, true), [to, route]);
  return null;
}
