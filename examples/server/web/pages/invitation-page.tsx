import { Entrance } from '../components/entrance.tsx';
import { Invitation } from '../invitation/invitation.tsx';
import { OpenLinkAgain } from '../invitation/open-link-again.tsx';
import { useLinkToken } from '../link-token.ts';

/** The page of the link in an admin invitation. */
export function InvitationPage() {
  const { token } = useLinkToken('/invitation');
  return <Entrance>{token ? <Invitation token={token} key={token} /> : <OpenLinkAgain />}</Entrance>;
}
