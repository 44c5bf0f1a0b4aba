import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

/** Goes elsewhere; the back button does not come back to here. */
export function Redirect({ to }: { to: string }) {
  const { route } = useLocation();
  useLayoutEffect(() => route(to, true), [to, route]);
  return null;
}
