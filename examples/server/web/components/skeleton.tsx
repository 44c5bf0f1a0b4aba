/** Stands in for something that loads; fades in late, so that what loads quickly does not flash. */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span class="skeleton__row" key={row} />
      ))}
    </div>
  );
}
