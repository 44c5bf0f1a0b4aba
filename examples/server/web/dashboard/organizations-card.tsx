import type { Account, Organization } from 'latchkey/client';
import { Plus } from 'lucide-static';
import { has } from '../capabilities.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { CardSection } from '../ui/card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Resource } from '../use-resource.ts';

const most = 5;

interface OrganizationsCardProps {
  user: Account;
  /** The organizations where the user is a member. */
  organizations: Resource<readonly Organization[]>;
  reload: () => Promise<void>;
}

/** The first organizations of the user, with the user's role in each. */
export const OrganizationsCard = ({ user, organizations, reload }: OrganizationsCardProps) => (
  <CardSection
    title={t('home.organizationsTitle')}
    action={
      has(user.role, 'organization:create') && (
        <a class="icon-button" href="/organizations" title={t('home.createOrganization')}>
          <Icon of={Plus} />
          <span class="visually-hidden">{t('home.createOrganization')}</span>
        </a>
      )
    }
  >
    {organizations.status === 'loading' && <Skeleton rows={1} label={t('home.organizationsLoading')} />}
    {organizations.status === 'failed' && (
      <div class="card__body">
        <LoadFailed error={organizations.error} retry={reload} />
      </div>
    )}
    {organizations.status === 'ready' && <Rows organizations={organizations.value} />}
  </CardSection>
);

function Rows({ organizations }: { organizations: readonly Organization[] }) {
  if (organizations.length === 0) return <p class="card__body card__note">{t('home.organizationsEmpty')}</p>;
  return (
    <>
      <ul>
        {organizations.slice(0, most).map((organization) => (
          <Row key={organization.id} {...organization} />
        ))}
      </ul>
      {organizations.length > most && (
        <p class="card__foot">
          <a class="card__link" href="/organizations">
            {t('home.allOrganizations', { count: organizations.length })}
          </a>
        </p>
      )}
    </>
  );
}

const Row = ({ id, name, slug, myRole }: Organization) => (
  <li class="row row--link">
    <Avatar name={name} seed={slug} shape="organization" />
    <div class="row__text">
      <p class="row__title">
        <a class="row__link" href={`/organizations/${id}`}>
          <bdi>{name}</bdi>
        </a>
      </p>
      <p class="row__meta">{slug}</p>
    </div>
    {myRole && (
      <Badge tone={myRole === 'admin' ? 'accent' : 'quiet'}>
        {myRole === 'admin' ? t('home.organizationAdmin') : organizationRoleName(myRole)}
      </Badge>
    )}
  </li>
);
