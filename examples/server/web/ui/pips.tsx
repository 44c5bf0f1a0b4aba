/** Shows how many items are left, such as recovery codes. The numbers are in the text beside it. */
export const Pips = ({ left, total }: { left: number; total: number }) => (
  <span class="pips" aria-hidden="true">
    {Array.from({ length: total }, (_, index) => (
      <span class={`pip${index < left ? ' pip--left' : ''}`} key={index} />
    ))}
  </span>
);
