import type { ComponentChildren } from 'preact';
import { PageHeading } from './page-heading.tsx';

interface PageHeadProps {
  title: string;
  lead?: ComponentChildren;
  action?: ComponentChildren;
}

/** The page's heading, what the page is for, and the one thing that is mostly done there. */
export const PageHead = ({ title, lead, action }: PageHeadProps) => (
  <div class="section__head">
    <div>
      <PageHeading title={title} />
      {lead && <p class="section__lead">{lead}</p>}
    </div>
    {action}
  </div>
);
