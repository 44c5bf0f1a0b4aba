import type { ComponentChildren } from 'preact';

/** A message below a field, about the value of the field. */
export const Good = ({ children }: { children: ComponentChildren }) => (
  <span class="verdict verdict--good">{children}</span>
);

export const Bad = ({ children }: { children: ComponentChildren }) => (
  <span class="verdict verdict--bad">{children}</span>
);
