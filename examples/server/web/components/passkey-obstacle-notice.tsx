import { AuthClientError, passkeyObstacle } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** If passkeys do not work in this browser, explains why and what to do. */
export function PasskeyObstacleNotice() {
  const obstacle = passkeyObstacle();
  return (
    obstacle && (
      <ErrorNotice
        error={new AuthClientError(obstacle, '')}
        action={
          obstacle === 'webauthn_unsupported' && (
            <a href="https://passkeys.dev/device-support/">{t('common.supportedDevices')}</a>
          )
        }
      />
    )
  );
}
