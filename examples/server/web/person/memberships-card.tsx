import type { UserOrganization } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { CardRow, SectionCard } from './section-card.tsx';

/** The organizations of a user. Admins who read them can also open their pages. */
export const MembershipsCard = ({ organizations }: { organizations: readonly UserOrganization[] }) => (
  <SectionCard title={t('person.memberships')}>
    {organizations.length === 0 ? (
      <p class="section-card__empty">{t('person.noMemberships')}</p>
    ) : (
      <ul class="card-rows">
        {organizations.map(({ id, name, slug, role }) => (
          <CardRow
            key={id}
            sign={<Avatar name={name} seed={slug} shape="organization" />}
            title={
              <a class="card-row__link" href={`/organizations/${id}`}>
                <bdi>{name}</bdi>
              </a>
            }
            end={<Badge tone={role === 'user' ? 'quiet' : 'accent'}>{organizationRoleName(role)}</Badge>}
          />
        ))}
      </ul>
    )}
  </SectionCard>
);
