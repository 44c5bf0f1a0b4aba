import type { ComponentChildren } from 'preact';

/** What the line below a field says of what was typed there. */
export const Good = ({ children }: { children: ComponentChildren }) => (
  <span class="verdict verdict--good">{children}</span>
);

export const Bad = ({ children }: { children: ComponentChildren }) => (
  <span class="verdict verdict--bad">{children}</span>
);
