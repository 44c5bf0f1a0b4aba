import type { ListedSession } from 'latchkey/client';
import { Globe, Laptop, Monitor, Smartphone, Tablet } from 'lucide-static';
import { type DeviceName, deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { impersonatorName } from '../impersonation/impersonator-name.ts';
import { T, t } from '../messages/t.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';

const dayMs = 86_400_000;
const longUnusedDays = 14;

const icons: Record<DeviceName['form'], string> = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  unknown: Globe,
};

export function SessionRow({ session, onEnd }: { session: ListedSession; onEnd: () => void }) {
  const { name, form } = deviceName(session.userAgent);
  const unusedDays = Math.floor((Date.now() - Date.parse(session.lastSeenAt)) / dayMs);
  return (
    <li class="row row--session">
      <span class="row__icon">
        <Icon of={name.includes('macOS') ? Laptop : icons[form]} />
      </span>
      <div class="row__text">
        <h3 class="row__title" title={session.userAgent ?? undefined}>
          {name}
          {session.current && <Badge>{t('security.thisBrowser')}</Badge>}
          {unusedDays >= longUnusedDays && (
            <Badge tone="warning">{t('security.unusedDays', { count: unusedDays })}</Badge>
          )}
        </h3>
        <p class="row__meta row__facts">
          <span>
            {session.current ? (
              t('security.activeNow')
            ) : (
              <T id="security.lastSeen" values={{ when: <Time at={session.lastSeenAt} relative /> }} />
            )}
          </span>
          <span>
            <Method session={session} />
          </span>
          {session.place && (
            <span>
              <bdi>{session.place}</bdi>
            </span>
          )}
          {session.ip && (
            <span>
              <bdi>{session.ip}</bdi>
            </span>
          )}
          <span>
            <T
              id={session.impersonator ? 'security.openedOn' : 'security.signedInOn'}
              values={{ when: <Time at={session.createdAt} /> }}
            />
          </span>
        </p>
      </div>
      {!session.current && (
        <div class="row__actions row__actions--prominent">
          <Button size="small" onClick={onEnd}>
            <T
              id="security.endSession"
              values={{ name, hidden: (children) => <span class="visually-hidden">{children}</span> }}
            />
          </Button>
        </div>
      )}
    </li>
  );
}

/** How the user authenticated, or who else uses the session. */
function Method({ session }: { session: ListedSession }) {
  const { impersonator, method, passkeyLabel } = session;
  if (impersonator)
    return (
      <T
        id="security.usedBy"
        values={{
          name: (
            <strong>
              <bdi>{impersonatorName(impersonator)}</bdi>
            </strong>
          ),
        }}
      />
    );
  if (passkeyLabel !== null)
    return <T id="security.byPasskey" values={{ label: <bdi>{passkeyLabel}</bdi> }} />;
  return t('security.byMethod', { method });
}
