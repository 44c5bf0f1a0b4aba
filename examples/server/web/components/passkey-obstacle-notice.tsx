import { AuthClientError, passkeyObstacle } from 'latchkey/client';
import { ErrorNotice } from './notice.tsx';

/** Says beforehand why passkeys cannot work here, where they cannot. */
export function PasskeyObstacleNotice() {
  const obstacle = passkeyObstacle();
  return obstacle && <ErrorNotice error={new AuthClientError(obstacle, '')} />;
}
