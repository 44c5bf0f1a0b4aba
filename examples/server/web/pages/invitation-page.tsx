import { Entrance } from '../entrance/entrance.tsx';
import { Invitation } from '../invitation/invitation.tsx';
import { OpenLinkAgain } from '../invitation/open-link-again.tsx';
import { useLinkToken } from '../link-token.ts';

/** The page that the link of an admin invitation opens. */
export function InvitationPage() {
  const { token } = useLinkToken('/invitation');
  return <Entrance>{token ? <Invitation token={token} key={token} /> : <OpenLinkAgain />}</Entrance>;
}
