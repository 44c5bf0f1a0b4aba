import { useEffect, useState } from 'preact/hooks';

const pauseMs = 300;

/** The typed text, a moment after the last keystroke. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
