import { useEffect, useState } from 'preact/hooks';

export function OfflineBanner() {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return (
    <div role="status">
      {!online && (
        <p class="offline-banner">You’re offline. What you do here has to wait until you’re back.</p>
      )}
    </div>
  );
}
