import type { ComponentChildren } from 'preact';

/** A part of a message that only screen readers read, for example what a button "Revoke" revokes. */
export const hidden = (children: ComponentChildren) => <span class="visually-hidden">{children}</span>;
