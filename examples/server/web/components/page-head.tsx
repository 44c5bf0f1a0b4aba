import type { ComponentChildren } from 'preact';
import { PageHeading } from './page-heading.tsx';

interface PageHeadProps {
  title: string;
  /** The title as it is shown, where that takes more than its text. */
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  action?: ComponentChildren;
}

/** The page's heading, what the page is for, and the one thing that is mostly done there. */
export const PageHead = ({ title, heading, lead, action }: PageHeadProps) => (
  <div class="section__head">
    <div>
      <PageHeading title={title}>{heading}</PageHeading>
      {lead && <p class="section__lead">{lead}</p>}
    </div>
    {action}
  </div>
);
