import type { Session } from 'latchkey/client';
import { Laptop, Smartphone } from 'lucide-static';
import { deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { impersonatorName, methodNames } from '../methods.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';

const dayMs = 86_400_000;
const longUnusedDays = 14;

export function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { name, form } = deviceName(session.userAgent);
  const unusedDays = Math.floor((Date.now() - Date.parse(session.lastSeenAt)) / dayMs);
  const isHandheld = form === 'phone' || form === 'tablet';
  return (
    <li class="row">
      <span class="row__icon">{isHandheld ? <Icon of={Smartphone} /> : <Icon of={Laptop} />}</span>
      <div class="row__text">
        <h3 class="row__title" title={session.userAgent ?? undefined}>
          {name}
          {session.current && <Badge>This browser</Badge>}
          {unusedDays >= longUnusedDays && <Badge tone="warning">Unused for {unusedDays} days</Badge>}
        </h3>
        <p class="row__meta row__facts">
          <span>
            {session.current ? 'Active now' : <>Last seen {<Time at={session.lastSeenAt} relative />}</>}
          </span>
          <span>
            {session.impersonator ? 'Opened' : 'Signed in'} <Time at={session.createdAt} />
          </span>
          <span>
            {session.impersonator ? (
              <>
                Used by <strong dir="auto">{impersonatorName(session.impersonator)}</strong>, to help you
              </>
            ) : (
              `Authenticated with ${methodNames[session.method]}`
            )}
          </span>
          {session.ip && <span>{session.ip}</span>}
        </p>
      </div>
      {!session.current && (
        <div class="row__actions row__actions--prominent">
          <Button size="small" onClick={onEnd}>
            End session<span class="visually-hidden"> of {name}</span>
          </Button>
        </div>
      )}
    </li>
  );
}
