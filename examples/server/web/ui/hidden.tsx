import type { ComponentChildren } from 'preact';

/** A part of a message for screen readers only, such as "the invitation for bob" in the button "Revoke". */
export const hidden = (children: ComponentChildren) => <span class="visually-hidden">{children}</span>;
