import type { ComponentChildren } from 'preact';

interface TabLinksProps {
  /** The name of the tab list, for screen readers. */
  label: string;
  children: ComponentChildren;
}

/** Tabs that are links, so that the URL contains the tab. On a phone, users can scroll them sideways. */
export const TabLinks = ({ label, children }: TabLinksProps) => (
  <nav class="tabs" aria-label={label}>
    {children}
  </nav>
);

interface TabLinkProps {
  href: string;
  isHere: boolean;
  /** How many items the tab contains. */
  count?: string | undefined;
  children: ComponentChildren;
}

export const TabLink = ({ href, isHere, count, children }: TabLinkProps) => (
  <a class="tab" href={href} aria-current={isHere ? 'page' : undefined}>
    {children}
    {count !== undefined && <span class="tab__count"> {count}</span>}
  </a>
);
