import { PageHeading } from '../components/page-heading.tsx';

/** Shown if the page has no token, for instance after a reload. */
export const OpenLinkAgain = () => (
  <>
    <PageHeading title="Open your invitation again" />
    <p class="entrance__lead">
      Open the link from the message you received. A reload closes the invitation, so you need the link again.
    </p>
    <p>
      <a href="/">Go to your account</a>
    </p>
  </>
);
