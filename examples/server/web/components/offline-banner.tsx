import { useEffect, useState } from 'preact/hooks';

export function OfflineBanner() {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return (
    <div role="status">
      {!online && <p class="offline-banner">You’re offline. Reconnect to the internet to make changes.</p>}
    </div>
  );
}
