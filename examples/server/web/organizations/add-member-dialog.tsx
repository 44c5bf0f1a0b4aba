import type { Member, OrganizationRole } from 'latchkey/client';
import { useId, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { MemberUsernameField } from './member-username-field.tsx';
import { memberWords } from './member-words.ts';
import { RoleField } from './role-field.tsx';

interface AddMemberDialogProps {
  organizationId: string;
  roles: readonly OrganizationRole[];
  onClose: () => void;
  onAdded: (member: Member) => void;
}

/** Adds a user to the organization without an invitation. Only superadmins see this dialog. */
export function AddMemberDialog({ organizationId, roles, onClose, onAdded }: AddMemberDialogProps) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<OrganizationRole>('user');
  const [insisting, setInsisting] = useState(false);
  const isMissing = username.trim() === '';
  const add = useAction(async () => {
    try {
      onAdded(await auth.organizations.members.add(organizationId, { username: username.trim(), role }));
    } catch (error) {
      input.current?.select();
      throw error;
    }
  });

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (isMissing) input.current?.focus();
    else void add.run();
  };

  return (
    <Sheet
      title={t('organizations.newMember')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={add.busy}>
            {t('organizations.addMember')}
          </Button>
        </>
      }
    >
      <p>{t('organizations.addMemberLead')}</p>
      <form id={form} class="form" onSubmit={submit}>
        <MemberUsernameField
          name="member"
          value={username}
          onValue={(typed) => {
            setUsername(typed);
            add.forget();
          }}
          inputRef={input}
          isMissing={insisting && isMissing}
        />
        <RoleField roles={roles} role={role} onRole={setRole} />
      </form>
      <ErrorNotice error={add.error} words={memberWords()} />
    </Sheet>
  );
}
