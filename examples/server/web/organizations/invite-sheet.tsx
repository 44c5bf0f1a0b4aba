import type { Account, OrganizationInvitation, OrganizationRole } from 'latchkey/client';
import { useId, useState } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { CreatedLink } from './created-link.tsx';
import { lifetimes } from './invitation-words.ts';
import { InviteFailures } from './invite-failures.tsx';
import { InviteeField } from './invitee-field.tsx';
import { RoleField } from './role-field.tsx';
import { useInvite } from './use-invite.ts';

interface InviteSheetProps {
  organizationId: string;
  user: Account;
  /** The roles that the signed-in user can give. */
  roles: readonly OrganizationRole[];
  onClose: () => void;
  /** Called for each new invitation. `url` is the link. Null: the invitation is for a username. */
  onCreated: (invitation: OrganizationInvitation, url: string | null) => void;
}

/** Invites users to an organization by username, or creates a link and then shows it. */
export function InviteSheet({ organizationId, user, roles, onClose, onCreated }: InviteSheetProps) {
  const form = useId();
  const [role, setRole] = useState<OrganizationRole>('user');
  const [hours, setHours] = useState('72');
  const terms = { role, expiresInHours: Number(hours) };
  const invite = useInvite({ organizationId, terms, onClose, onCreated });
  const isLink = invite.way === 'link';

  if (invite.link) return <CreatedLink link={invite.link} onClose={onClose} />;
  return (
    <Sheet
      title={t('organizations.invite')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={invite.busy}>
            {isLink
              ? t('organizations.createLink')
              : t('organizations.createInvitations', { count: Math.max(1, invite.usernames.length) })}
          </Button>
        </>
      }
    >
      <form id={form} class="form" onSubmit={invite.submit}>
        <div class="field">
          <SegmentedControl
            label={t('organizations.inviteWay')}
            value={invite.way}
            onValue={invite.setWay}
            options={[
              ['username', t('organizations.byUsername')],
              ['link', t('organizations.byLink')],
            ]}
          />
          <p class="hint">{isLink ? t('organizations.byLinkHint') : t('organizations.byUsernameHint')}</p>
        </div>
        {!isLink && <InviteeField user={user} invite={invite} />}
        <RoleField roles={roles} role={role} onRole={setRole} />
        <SelectField
          label={t('organizations.expiresAfter')}
          value={hours}
          onValue={setHours}
          options={lifetimes()}
        />
      </form>
      <InviteFailures error={invite.error} failures={invite.failures} />
    </Sheet>
  );
}
