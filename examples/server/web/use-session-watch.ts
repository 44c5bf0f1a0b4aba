import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

const intervalMs = 30_000;

// Each read keeps the session alive. A tab without input for this long must stop reading, so that its session can
// expire.
const unattendedMs = 5 * 60_000;

/**
 * Reads the session repeatedly. The pages then notice the end of the session, or a new recovery link, without a reload.
 *
 * Reads when the tab becomes visible. While the user is signed in, also reads on each navigation and every 30 seconds.
 * Reads nothing in a hidden tab. After five minutes without input, pauses until the next input.
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
    // Waits again only after the response, so that requests to a slow service never overlap.
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
