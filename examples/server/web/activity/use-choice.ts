import { useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { activityPath, activityUrl, type Choice, readChoice } from './choice.ts';

/** What the URL says about the events to show, and how to change it. */
export function useChoice() {
  const { path, query, route } = useLocation();
  // While the next page loads, the URL is already that of the next page. Then the last list stays.
  const last = useRef(query);
  if (path === activityPath) last.current = query;
  const shown = last.current;
  const choice = useMemo(() => readChoice(shown), [shown]);
  // Each change adds an entry to the history, so that "back" returns to the events before.
  const choose = (change: Partial<Choice>, { replace = false } = {}) =>
    route(activityUrl({ ...choice, ...change }), replace);
  return { choice, choose, clear: () => route(activityPath) };
}
