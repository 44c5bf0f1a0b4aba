import type { OrganizationRole } from 'latchkey/client';
import { useId, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { lifetimes } from '../invitations/invitation-status.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { useAction } from '../use-action.ts';
import { InviteWay, type Way } from './invite-way.tsx';
import { MemberUsernameField } from './member-username-field.tsx';
import { memberWords } from './member-words.ts';
import { RoleField } from './role-field.tsx';

/** A new invitation. `url` is the link, which is shown only once. `url` is null for an invitation by username. */
export type CreatedInvitation = Awaited<ReturnType<typeof auth.organizations.invitations.create>>;

interface InviteMemberFormProps {
  organizationId: string;
  roles: readonly OrganizationRole[];
  onClose: () => void;
  onCreated: (created: CreatedInvitation) => void;
}

export function InviteMemberForm({ organizationId, roles, onClose, onCreated }: InviteMemberFormProps) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [way, setWay] = useState<Way>('username');
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<OrganizationRole>('user');
  const [hours, setHours] = useState('72');
  const [insisting, setInsisting] = useState(false);
  const isMissing = way === 'username' && username.trim() === '';

  const create = useAction(async () => {
    const invitee = way === 'username' ? username.trim() : undefined;
    const given = { username: invitee, role, expiresInHours: Number(hours) };
    try {
      onCreated(await auth.organizations.invitations.create(organizationId, given));
    } catch (error) {
      input.current?.select();
      throw error;
    }
  });

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (isMissing) input.current?.focus();
    else void create.run();
  };

  return (
    <Sheet
      title="New invitation"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={create.busy}>
            {way === 'username' ? 'Create invitation' : 'Create link'}
          </Button>
        </>
      }
    >
      <form id={form} class="form" onSubmit={submit}>
        <InviteWay
          way={way}
          onWay={(chosen) => {
            setWay(chosen);
            create.forget();
          }}
        />
        {way === 'username' && (
          <MemberUsernameField
            name="invitee"
            value={username}
            onValue={(typed) => {
              setUsername(typed);
              create.forget();
            }}
            inputRef={input}
            isMissing={insisting && isMissing}
          />
        )}
        <RoleField roles={roles} role={role} onRole={setRole} />
        <SelectField label="Expires after" value={hours} onValue={setHours} options={lifetimes} />
      </form>
      <ErrorNotice error={create.error} words={memberWords} />
    </Sheet>
  );
}
