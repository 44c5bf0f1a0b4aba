import { useEffect, useState } from 'preact/hooks';

/** Milliseconds. What loads quickly neither flashes nor interrupts a screen reader. */
const patience = 250;

/** Stands in for something that loads; fades in late, and is told of late. */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  const isSlow = useIsSlow();
  return (
    <div>
      {/* Beside what is busy: of that, screen readers say nothing. */}
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
    const timer = setTimeout(() => setSlow(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}
