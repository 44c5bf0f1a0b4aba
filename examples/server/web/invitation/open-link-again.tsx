import { PageHeading } from '../components/page-heading.tsx';

/** Shown if the page of an invitation has no token, for instance after a reload. */
export const OpenLinkAgain = () => (
  <>
    <PageHeading title="Open your invitation again" />
    <p class="entrance__lead">
      Open the link in the message that you received. This page forgets the link when you reload it.
    </p>
    <p>
      <a href="/">Go to your account</a>
    </p>
  </>
);
