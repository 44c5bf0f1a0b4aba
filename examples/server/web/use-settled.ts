import { useEffect, useState } from 'preact/hooks';

const pauseMs = 300;

/** The typed text. Changes only when the user pauses for 300 ms. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
