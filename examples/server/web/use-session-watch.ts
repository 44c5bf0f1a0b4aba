import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

const intervalMs = 30_000;

// Each read counts as a use of the session. An unused tab must not keep its session from expiring when idle.
const unattendedMs = 5 * 60_000;

/**
 * Reads the session again whenever the tab becomes visible and, while the user is signed in, on each navigation and
 * every 30 seconds. A hidden tab reads nothing, nor does one without input for five minutes until the next input.
 *
 * This is how a page learns without a reload that the session ended elsewhere, or that a recovery link exists.
 */
export function useSessionWatch(read: () => Promise<void>, isSignedIn: boolean): void {
  const { url } = useLocation();
  const readAt = useRef(url);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    let isPaused = false;
    let inputAt = Date.now();
    const pause = () => clearTimeout(timer);
    const wait = () => {
      pause();
      isPaused = Date.now() - inputAt > unattendedMs;
      if (isSignedIn && !isStopped && !isPaused && document.visibilityState === 'visible')
        timer = setTimeout(next, intervalMs);
    };
    // The next wait begins after the answer, so that requests to a slow service never overlap.
    const next = () => void read().then(wait);
    const onInput = () => {
      inputAt = Date.now();
      if (!isPaused || !isSignedIn) return;
      isPaused = false;
      next();
    };
    const onVisibility = () => {
      if (document.visibilityState !== 'visible') return pause();
      inputAt = Date.now();
      isPaused = false;
      next();
    };

    wait();
    document.addEventListener('visibilitychange', onVisibility);
    for (const event of inputEvents) document.addEventListener(event, onInput, { passive: true });
    return () => {
      isStopped = true;
      pause();
      document.removeEventListener('visibilitychange', onVisibility);
      for (const event of inputEvents) document.removeEventListener(event, onInput);
    };
  }, [read, isSignedIn]);

  useEffect(() => {
    if (readAt.current === url) return;
    readAt.current = url;
    if (isSignedIn) void read();
  }, [url, isSignedIn, read]);
}

const inputEvents = ['pointerdown', 'keydown'] as const;
