import { PageHeading } from '../components/page-heading.tsx';

/** Shown without a token: after a reload, for instance. */
export const OpenLinkAgain = () => (
  <>
    <PageHeading title="Open your invitation" />
    <p class="entrance__lead">
      Open the link from the message you received. This page does not keep the invitation: after a reload,
      open the link again.
    </p>
    <p>
      <a href="/">Go to your account</a>
    </p>
  </>
);
