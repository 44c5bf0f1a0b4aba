/** A keyhole in the shape of an L, on a plate. */
export const keyhole =
  'M12.7 5.3a5 5 0 0 1 2.3 9.44v6.56h6.9a2.25 2.25 0 0 1 0 4.5h-9a2.5 2.5 0 0 1-2.5-2.5v-8.56a5 5 0 0 1 2.3-9.44z';

/** Screen readers ignore the mark, because the name is always beside it. */
export const BrandMark = ({ onRail = false }: { onRail?: boolean }) => (
  <svg
    class={onRail ? 'brand-mark brand-mark--on-rail' : 'brand-mark'}
    viewBox="0 0 32 32"
    aria-hidden="true"
  >
    <rect class="brand-mark__plate" width="32" height="32" rx="9" />
    <path class="brand-mark__hole" d={keyhole} />
  </svg>
);
