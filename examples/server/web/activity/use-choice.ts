import { useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { activityPath, activityUrl, type Choice, readChoice } from './choice.ts';

/** Reads the filters from the URL, and changes them. */
export function useChoice() {
  const { path, query, route } = useLocation();
  // While another page loads, the URL is already that of the other page. This page then keeps its last query.
  const last = useRef(query);
  if (path === activityPath) last.current = query;
  const shown = last.current;
  const choice = useMemo(() => readChoice(shown), [shown]);
  // Each change adds an entry to the history, so that the back button restores the previous filters.
  const choose = (change: Partial<Choice>, { replace = false } = {}) =>
    route(activityUrl({ ...choice, ...change }), replace);
  return { choice, choose, clear: () => route(activityPath) };
}
