import type { Organization } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { DeleteOrganizationDialog } from './delete-organization-dialog.tsx';
import { LeaveOrganizationDialog } from './leave-organization-dialog.tsx';
import { RenameForm } from './rename-form.tsx';
import { mayLeave, type OrganizationRights } from './role-rights.ts';

interface SettingsTabProps {
  organization: Organization;
  rights: OrganizationRights;
  onSaved: (saved: Organization) => void;
}

/** The name of the organization, and the ways to leave it and to delete it. */
export function SettingsTab({ organization, rights, onSaved }: SettingsTabProps) {
  const { route } = useLocation();
  const [asking, setAsking] = useState<'leave' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const onGone = (message: string) => {
    toast(message);
    route('/organizations', true);
  };
  const { name } = organization;
  return (
    <>
      {rights.update && <RenameForm organization={organization} onSaved={onSaved} />}
      {(mayLeave(organization, rights) || rights.delete) && (
        <ul class="list">
          {mayLeave(organization, rights) && (
            <SettingsRow title={t('organizations.leave')} hint={t('organizations.leaveHint')}>
              <Button onClick={() => setAsking('leave')}>{t('organizations.menuLeave')}</Button>
            </SettingsRow>
          )}
          {rights.delete && (
            <SettingsRow title={t('organizations.delete')} hint={t('organizations.deleteHint')}>
              <Button variant="danger-outline" onClick={() => setAsking('delete')}>
                {t('organizations.menuDelete')}
              </Button>
            </SettingsRow>
          )}
        </ul>
      )}
      {asking === 'leave' && (
        <LeaveOrganizationDialog
          organization={organization}
          onClose={close}
          onLeft={() => onGone(t('organizations.left', { name }))}
        />
      )}
      {asking === 'delete' && (
        <DeleteOrganizationDialog
          organization={organization}
          onClose={close}
          onDeleted={() => onGone(t('organizations.deleted', { name }))}
        />
      )}
    </>
  );
}

interface SettingsRowProps {
  title: string;
  hint: string;
  children: ComponentChildren;
}

const SettingsRow = ({ title, hint, children }: SettingsRowProps) => (
  <li class="row row--compact row--plain">
    <div class="row__text">
      <h2 class="row__title">{title}</h2>
      <p class="row__meta">{hint}</p>
    </div>
    <div class="row__actions">{children}</div>
  </li>
);
