import type { ComponentChildren } from 'preact';
import { PageHeading } from './page-heading.tsx';

interface PageHeadProps {
  title: string;
  /** The visible title, if it needs markup. */
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  action?: ComponentChildren;
}

/** The heading of a page, one line about the page, and the page's main action. */
export const PageHead = ({ title, heading, lead, action }: PageHeadProps) => (
  <div class="section__head">
    <div>
      <PageHeading title={title}>{heading}</PageHeading>
      {lead && <p class="section__lead">{lead}</p>}
    </div>
    {action}
  </div>
);
