import { AuthClientError, passkeyObstacle } from 'latchkey/client';
import { ErrorNotice } from './notice.tsx';

/** Says beforehand why passkeys cannot work here, where they cannot, and where they can. */
export function PasskeyObstacleNotice() {
  const obstacle = passkeyObstacle();
  return (
    obstacle && (
      <ErrorNotice
        error={new AuthClientError(obstacle, '')}
        action={
          obstacle === 'webauthn_unsupported' && (
            <a href="https://passkeys.dev/device-support/">See which browsers and devices can</a>
          )
        }
      />
    )
  );
}
