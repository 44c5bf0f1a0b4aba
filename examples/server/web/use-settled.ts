import { useEffect, useState } from 'preact/hooks';

const pause = 300;

/** What somebody is typing, a moment after the last keystroke. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
