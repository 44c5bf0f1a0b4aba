import { useEffect, useState } from 'preact/hooks';

/** A page that loads within this time shows no placeholder and does not interrupt a screen reader. */
const announceAfterMs = 250;

/** A placeholder for content that loads. It fades in, and is announced, after a short delay. */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  const isSlow = useIsSlow();
  return (
    <div>
      {/* Outside the busy element: screen readers announce nothing inside it. */}
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
