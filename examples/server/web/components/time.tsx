import { formatDay, formatExact, formatRelative } from '../dates.ts';

/** A moment: the day, or how long ago; the exact time is in the title. */
export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {relative ? formatRelative(at) : formatDay(at)}
    </time>
  );
}
