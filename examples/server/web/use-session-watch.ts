import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

const intervalMs = 30_000;

/**
 * Reads the session again whenever the tab becomes visible and, while the user is signed in, on each navigation and
 * every 30 seconds. A hidden tab reads nothing.
 *
 * This is how a page learns without a reload that the session ended elsewhere, or that a recovery link exists.
 */
export function useSessionWatch(read: () => Promise<void>, isSignedIn: boolean): void {
  const { url } = useLocation();
  const readAt = useRef(url);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const pause = () => clearTimeout(timer);
    const wait = () => {
      pause();
      if (isSignedIn && !isStopped && document.visibilityState === 'visible')
        timer = setTimeout(next, intervalMs);
    };
    // The next wait begins after the answer: a slow service is not asked twice at once.
    const next = () => void read().then(wait);
    const onVisibility = () => (document.visibilityState === 'visible' ? next() : pause());

    wait();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      isStopped = true;
      pause();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [read, isSignedIn]);

  useEffect(() => {
    if (readAt.current === url) return;
    readAt.current = url;
    if (isSignedIn) void read();
  }, [url, isSignedIn, read]);
}
