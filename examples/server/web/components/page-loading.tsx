import { Skeleton } from './skeleton.tsx';

/** Stands in for a whole page, its heading included. */
export const PageLoading = ({ rows, label }: { rows: number; label: string }) => (
  <div>
    <h1 class="visually-hidden">{label}</h1>
    <Skeleton rows={rows} label={label} />
  </div>
);
