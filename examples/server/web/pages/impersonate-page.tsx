import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { Impersonate } from '../impersonation/impersonate.tsx';
import { useLinkToken } from '../link-token.ts';

/** The page that an operator's impersonation link opens. */
export function ImpersonatePage() {
  const { token, forget } = useLinkToken('/impersonate');
  return (
    <Entrance>
      {token ? <Impersonate token={token} onForget={forget} key={token} /> : <OpenLinkAgain />}
    </Entrance>
  );
}

/** Shown if the page has no token, for instance after a reload. */
const OpenLinkAgain = () => (
  <>
    <PageHeading title="Open your link again" />
    <p class="entrance__lead">
      This page forgets the link when you reload it. If the link was used, create a new one.
    </p>
    <p>
      <a href="/">Go to your account</a>
    </p>
  </>
);
