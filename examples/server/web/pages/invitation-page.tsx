import { Entrance } from '../components/entrance.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Invitation } from '../invitation/invitation.tsx';
import { useLinkToken } from '../link-token.ts';

/** Where an invitation's link leads. */
export function InvitationPage() {
  const { token } = useLinkToken('/invitation');
  return (
    <Entrance>
      {token ? (
        <Invitation token={token} key={token} />
      ) : (
        <>
          <PageHeading title="Open your invitation" />
          <p class="entrance__lead">
            Follow the link you were sent, once more if you’ve been here already: this page doesn’t keep it.
          </p>
          <p>
            <a href="/">Go to your account</a>
          </p>
        </>
      )}
    </Entrance>
  );
}
