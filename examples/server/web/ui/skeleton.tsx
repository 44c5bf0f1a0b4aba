import { useEffect, useState } from 'preact/hooks';

/** The delay before screen readers announce that content is loading. Most content loads before the delay ends. */
const announceAfterMs = 200;

/** Shown while content loads. After a short delay, the placeholder fades in and screen readers announce `label`. */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  const isSlow = useIsSlow();
  return (
    <div>
      {/* Outside the busy element, because screen readers announce nothing inside a busy element. */}
      <p class="visually-hidden" role="status">
        {isSlow && `${label}…`}
      </p>
      <div class="skeleton" aria-busy="true">
        {Array.from({ length: rows }, (_, row) => (
          <span class="skeleton__row" key={row} />
        ))}
      </div>
    </div>
  );
}

function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), announceAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}
