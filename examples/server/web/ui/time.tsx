import { formatDay, formatExact, formatRelative } from '../dates.ts';

/** A date. If `relative` is set, a text such as "5 minutes ago". The tooltip shows the exact time. */
export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {relative ? formatRelative(at) : formatDay(at)}
    </time>
  );
}
