import type { AuditEvent } from 'latchkey/client';
import { Ban, Building2, LogIn, ScrollText, ShieldCheck, UserRoundCog } from 'lucide-static';
import { sentenceOf } from '../activity/sentence.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import type { Resource } from '../use-resource.ts';
import { CardRow, SectionCard } from './section-card.tsx';
import type { PersonEvents } from './use-person-events.ts';

interface ActivityCardProps {
  username: string;
  events: { resource: Resource<PersonEvents>; reload: () => Promise<void> };
  organizationName: (id: string) => string | undefined;
}

/** The newest events of a user and about the user. */
export const ActivityCard = ({
  username,
  events: { resource, reload },
  organizationName,
}: ActivityCardProps) => (
  <SectionCard title={t('person.activity')} isPlain>
    {resource.status === 'loading' && <Skeleton rows={3} label={t('person.loadingActivity')} />}
    {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
    {resource.status === 'ready' && resource.value.recent.length === 0 && (
      <p class="section-card__empty">{t('person.noActivity')}</p>
    )}
    {resource.status === 'ready' && resource.value.recent.length > 0 && (
      <ul class="card-rows">
        {resource.value.recent.map((event) => (
          <CardRow
            key={event.id}
            sign={<EventSign event={event} />}
            title={<Sentence event={event} organizationName={organizationName} />}
            facts={[
              <Time key="at" at={event.at} relative />,
              event.outcome === 'failure' && t('person.wasRefused'),
            ]}
          />
        ))}
      </ul>
    )}
    <p class="section-card__links">
      <a href={`/admin/activity?actor=${encodeURIComponent(username)}`}>
        {t('person.activityOf', { name: username })}
      </a>
      <a href={`/admin/activity?target=${encodeURIComponent(username)}`}>
        {t('person.activityAbout', { name: username })}
      </a>
    </p>
  </SectionCard>
);

const Sentence = ({
  event,
  organizationName,
}: { event: AuditEvent } & Pick<ActivityCardProps, 'organizationName'>) => (
  <>
    {sentenceOf(event, organizationName).map(({ text, isName }, index) =>
      isName ? <bdi key={index}>{text}</bdi> : text,
    )}
  </>
);

const icons: readonly (readonly [RegExp, string])[] = [
  [/\.login$|^session\./, LogIn],
  [/^(passkey|password|recovery)/, ShieldCheck],
  [/^(organization|member)/, Building2],
  [/^(user|account|invitation|superadmin|impersonation)/, UserRoundCog],
];

function EventSign({ event: { event, outcome } }: { event: AuditEvent }) {
  const icon = icons.find(([pattern]) => pattern.test(event))?.[1] ?? ScrollText;
  const isRefused = outcome === 'failure';
  return (
    <span class={`sign ${isRefused ? 'sign--danger' : ''}`}>
      {isRefused ? <Icon of={Ban} /> : <Icon of={icon} />}
    </span>
  );
}
