import { Skeleton } from '../ui/skeleton.tsx';

/** A placeholder while a page loads, with a heading for screen readers. */
export const PageLoading = ({ rows, label }: { rows: number; label: string }) => (
  <div>
    <h1 class="visually-hidden">{label}</h1>
    <Skeleton rows={rows} label={label} />
  </div>
);
