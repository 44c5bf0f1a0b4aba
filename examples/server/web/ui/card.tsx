import type { ComponentChildren } from 'preact';

/** A surface for content that belongs together. */
export const Card = ({ children }: { children: ComponentChildren }) => <div class="card">{children}</div>;
