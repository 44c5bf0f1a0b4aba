/** How many of a few things are left, such as recovery codes. The text beside it says the numbers. */
export const Pips = ({ left, total }: { left: number; total: number }) => (
  <span class="pips" aria-hidden="true">
    {Array.from({ length: total }, (_, index) => (
      <span class={`pip${index < left ? ' pip--left' : ''}`} key={index} />
    ))}
  </span>
);
