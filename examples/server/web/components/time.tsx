import { formatDay, formatExact, formatRelative } from '../dates.ts';

/** A date, or the time since. The title has the exact time. */
export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {relative ? formatRelative(at) : formatDay(at)}
    </time>
  );
}
