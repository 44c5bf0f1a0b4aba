import { useEffect, useRef, useState } from 'preact/hooks';

/** The duration of the transition of `.door__gap` in door.css. */
const durationMs = 280;

/**
 * True for a moment after `isOpen` becomes true, so that the door can open before the next page. Always false if the
 * door was open at the first render, or if the user prefers reduced motion.
 */
export function useOpeningDoor(isOpen: boolean): boolean {
  const wasClosed = useRef(false);
  const [isDone, setDone] = useState(false);
  if (!isOpen) wasClosed.current = true;
  const isOpening = isOpen && wasClosed.current && !isDone && !prefersReducedMotion();

  useEffect(() => {
    if (!isOpening) return;
    const timer = setTimeout(() => setDone(true), durationMs);
    return () => clearTimeout(timer);
  }, [isOpening]);
  return isOpening;
}

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
