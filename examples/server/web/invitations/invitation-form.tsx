import type { CreatedInvitation, Invitation } from 'latchkey/client';
import { useId, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useAction } from '../use-action.ts';
import { brokenRule } from '../use-username-availability.ts';
import { lifetimes } from './invitation-status.ts';

const words: Record<string, Explanation> = {
  account_disabled: {
    tone: 'warning',
    title: 'That account is disabled',
    body: 'Enable the account on the Users page first, then invite the user.',
  },
  role_already_held: {
    tone: 'info',
    title: 'That user is already an admin',
    body: 'The user doesn’t need an invitation.',
  },
};

const wordsForUsers: Record<string, Explanation> = {
  role_already_held: {
    tone: 'info',
    title: 'That user already has an account',
    body: 'The user doesn’t need an invitation.',
  },
};

interface InvitationFormProps {
  roles: readonly Invitation['role'][];
  onClose: () => void;
  onCreated: (created: CreatedInvitation) => void;
}

export function InvitationForm({ roles, onClose, onCreated }: InvitationFormProps) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [role, setRole] = useState(roles[0] ?? 'user');
  const [username, setUsername] = useState('');
  const [hours, setHours] = useState('72');
  const create = useAction(async () => {
    const given = { username: username.trim() || undefined, expiresInHours: Number(hours) };
    try {
      const client = role === 'admin' ? auth.invitations : auth.userInvitations;
      onCreated(await client.create(given));
    } catch (error) {
      if (codeOf(error) === 'username_unacceptable') input.current?.select();
      throw error;
    }
  });
  const isRefused = codeOf(create.error) === 'username_unacceptable';

  return (
    <Sheet
      title="New invitation"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={create.busy}>
            Create invitation
          </Button>
        </>
      }
    >
      <form
        id={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        {roles.length > 1 && (
          <SelectField
            label="Purpose"
            value={role}
            onValue={(chosen) => {
              setRole(chosen === 'admin' ? 'admin' : 'user');
              create.forget();
            }}
            options={roles.map((each) => [each, purposes[each]] as const)}
          />
        )}
        <Field
          label="Username"
          optional
          name="invitee"
          value={username}
          onValue={(typed) => {
            setUsername(typed);
            create.forget();
          }}
          inputRef={input}
          autocomplete="off"
          verbatim
          maxLength={64}
          invalid={isRefused}
          message={isRefused ? <Bad>{unacceptable(create.error, username)}</Bad> : hints[role]}
        />
        <SelectField label="Expires after" value={hours} onValue={setHours} options={lifetimes} />
      </form>
      {!isRefused && <ErrorNotice error={create.error} words={role === 'admin' ? words : wordsForUsers} />}
    </Sheet>
  );
}

const purposes: Record<Invitation['role'], string> = {
  admin: 'Become an admin',
  user: 'Sign up',
};

const hints: Record<Invitation['role'], string> = {
  admin:
    'Only this user can accept. The account does not need to exist yet. If you leave this empty, the first user with the link can accept.',
  user: 'Only this username can sign up. If you leave this empty, the first user with the link can sign up.',
};

function unacceptable(error: unknown, username: string): string {
  const isReserved = error instanceof Error && 'reason' in error && error.reason === 'reserved';
  return isReserved ? 'That username is reserved. Choose another one.' : brokenRule(username.trim());
}
