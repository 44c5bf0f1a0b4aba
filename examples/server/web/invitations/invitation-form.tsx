import type { CreatedInvitation, Invitation } from 'latchkey/client';
import { useId, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { codeOf, type Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useAction } from '../use-action.ts';
import { brokenRule } from '../use-username-availability.ts';
import { lifetimes, purposeName } from './invitation-status.ts';

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
      title={t('invitations.formTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={create.busy}>
            {t('invitations.create')}
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
            label={t('invitations.purpose')}
            value={role}
            onValue={(chosen) => {
              setRole(chosen === 'admin' ? 'admin' : 'user');
              create.forget();
            }}
            options={roles.map((each) => [each, purposeName(each)] as const)}
          />
        )}
        <Field
          label={t('invitations.username')}
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
          message={
            isRefused ? (
              <Bad>{unacceptable(create.error, username)}</Bad>
            ) : (
              t(role === 'admin' ? 'invitations.hintAdmin' : 'invitations.hintUser')
            )
          }
        />
        <SelectField
          label={t('invitations.lifetime')}
          value={hours}
          onValue={setHours}
          options={lifetimes()}
        />
      </form>
      {!isRefused && <ErrorNotice error={create.error} words={wordsFor(role)} />}
    </Sheet>
  );
}

const wordsFor = (role: Invitation['role']): Record<string, Explanation> => ({
  role_already_held: {
    tone: 'info',
    title: t(role === 'admin' ? 'invitations.alreadyAdminTitle' : 'invitations.alreadyUserTitle'),
    body: t('invitations.noInvitationNeeded'),
  },
  ...(role === 'admin' && {
    account_disabled: {
      tone: 'warning',
      title: t('invitations.accountDisabledTitle'),
      body: t('invitations.accountDisabledBody'),
    },
  }),
});

function unacceptable(error: unknown, username: string): string {
  const isReserved = error instanceof Error && 'reason' in error && error.reason === 'reserved';
  return isReserved ? t('invitations.usernameReserved') : brokenRule(username.trim());
}
