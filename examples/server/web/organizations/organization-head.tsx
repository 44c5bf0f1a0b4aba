import type { Account, Organization } from 'latchkey/client';
import { ChevronRight, UserRoundPlus } from 'lucide-static';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { has } from '../capabilities.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { CreateOrganizationSheet } from './create-organization-sheet.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';

interface OrganizationHeadProps {
  organization: Organization;
  user: Account;
  /** Absent: the user cannot invite members. */
  onInvite: (() => void) | undefined;
}

/** The name of the organization with the switcher, and the button that invites members. */
export function OrganizationHead({ organization, user, onInvite }: OrganizationHeadProps) {
  const { route } = useLocation();
  const [creating, setCreating] = useState(false);
  const { id, name, slug, createdAt, myRole } = organization;
  const mayCreate = has(user.role, 'organization:create');
  return (
    <div class="organization-head">
      <nav class="breadcrumb" aria-label={t('organizations.breadcrumb')}>
        <a href="/organizations">{t('organizations.title')}</a>
        <Icon of={ChevronRight} inline />
        <bdi aria-current="page">{name}</bdi>
      </nav>
      <div class="organization-head__line">
        <Avatar name={name} shape="organization" size="huge" />
        <div class="organization-head__text">
          <div class="organization-head__name">
            <PageHeading title={name}>
              <bdi>{name}</bdi>
            </PageHeading>
            <OrganizationSwitcher currentId={id} onCreate={mayCreate ? () => setCreating(true) : undefined} />
          </div>
          <p class="row__facts organization-head__facts">
            <span class="organization-head__slug">{slug}</span>
            {myRole !== null && <span>{organizationRoleName(myRole)}</span>}
            <span>
              <T id="organizations.createdAt" values={{ time: <Time at={createdAt} /> }} />
            </span>
          </p>
        </div>
        {onInvite && (
          <Button variant="primary" icon={UserRoundPlus} onClick={onInvite}>
            {t('organizations.invite')}
          </Button>
        )}
      </div>
      {creating && (
        <CreateOrganizationSheet
          onClose={() => setCreating(false)}
          onCreated={(created) => route(`/organizations/${created.id}`)}
        />
      )}
    </div>
  );
}
