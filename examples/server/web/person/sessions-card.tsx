import type { ListedSession } from 'latchkey/client';
import { Laptop, Smartphone } from 'lucide-static';
import { deviceName } from '../device-name.ts';
import { impersonatorName } from '../impersonation/impersonator-name.ts';
import { T, t } from '../messages/t.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { hidden } from '../ui/hidden.tsx';
import { Time } from '../ui/time.tsx';
import { Sign } from './methods-card.tsx';
import { CardRow, SectionCard } from './section-card.tsx';

interface SessionsCardProps {
  sessions: readonly ListedSession[];
  /** Absent: the signed-in user cannot end the sessions. */
  onEndAll?: (() => void) | undefined;
  /** Absent: the signed-in user cannot end a session. */
  onEnd?: ((session: ListedSession) => void) | undefined;
}

/** Where a user is signed in. */
export const SessionsCard = ({ sessions, onEndAll, onEnd }: SessionsCardProps) => (
  <SectionCard
    title={t('person.sessions')}
    action={
      onEndAll &&
      sessions.length > 0 && (
        <Button variant="quiet" size="small" onClick={onEndAll}>
          {t('person.endAll')}
        </Button>
      )
    }
  >
    {sessions.length === 0 ? (
      <p class="section-card__empty">{t('person.noSessions')}</p>
    ) : (
      <ul class="card-rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={onEnd && (() => onEnd(session))} />
        ))}
      </ul>
    )}
  </SectionCard>
);

function SessionRow({ session, onEnd }: { session: ListedSession; onEnd?: (() => void) | undefined }) {
  const { userAgent, lastSeenAt, expiresAt, kind, method, passkeyLabel, impersonator, ip, place, current } =
    session;
  const { name, form } = deviceName(userAgent);
  const isHandheld = form === 'phone' || form === 'tablet';
  return (
    <CardRow
      sign={isHandheld ? <Sign icon={Smartphone} /> : <Sign icon={Laptop} />}
      title={<span title={userAgent ?? undefined}>{name}</span>}
      facts={[
        <T key="seen" id="person.active" values={{ time: <Time at={lastSeenAt} relative /> }} />,
        impersonator ? (
          <T id="person.usedBy" values={{ name: <bdi>{impersonatorName(impersonator)}</bdi> }} />
        ) : passkeyLabel !== null ? (
          <T id="person.withPasskey" values={{ passkey: <bdi>{passkeyLabel}</bdi> }} />
        ) : (
          t('person.method', { method })
        ),
        ip,
        place && <bdi>{place}</bdi>,
        <T key="ends" id="person.ends" values={{ time: <Time at={expiresAt} /> }} />,
      ]}
      end={
        <>
          {current && <Badge>{t('person.thisBrowser')}</Badge>}
          {kind === 'recovery' && <Badge tone="warning">{t('person.recoverySession')}</Badge>}
          {onEnd && (
            <Button size="small" onClick={onEnd}>
              <T id="person.endSession" values={{ device: name, hidden }} />
            </Button>
          )}
        </>
      }
    />
  );
}
