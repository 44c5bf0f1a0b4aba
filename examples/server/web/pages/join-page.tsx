import { Entrance } from '../entrance/entrance.tsx';
import { OpenLinkAgain } from '../invitation/open-link-again.tsx';
import { Join } from '../join/join.tsx';
import { useLinkToken } from '../link-token.ts';

/** The page that the link of an organization invitation opens. */
export function JoinPage() {
  const { token } = useLinkToken('/join');
  return <Entrance>{token ? <Join token={token} key={token} /> : <OpenLinkAgain />}</Entrance>;
}
