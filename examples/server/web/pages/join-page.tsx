import { Entrance } from '../components/entrance.tsx';
import { OpenLinkAgain } from '../invitation/open-link-again.tsx';
import { Join } from '../join/join.tsx';
import { useLinkToken } from '../link-token.ts';

/** Where a link to join an organization leads. */
export function JoinPage() {
  const { token } = useLinkToken('/join');
  return <Entrance>{token ? <Join token={token} key={token} /> : <OpenLinkAgain />}</Entrance>;
}
