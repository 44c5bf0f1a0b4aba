import type { Account, ListedSession, User, UserRecord } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { has, scopeOf } from '../capabilities.ts';
import { focusPageHeading } from '../components/page-heading.tsx';
import { t } from '../messages/t.tsx';
import { hasOrganizations } from '../site-settings.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { toast } from '../ui/toast.tsx';
import { EndSessionDialog } from '../users/end-session-dialog.tsx';
import { lastUsersUrl } from '../users/page-cursors.ts';
import type { UserAction } from '../users/user-actions.ts';
import { UserDialogs } from '../users/user-dialogs.tsx';
import { ActivityCard } from './activity-card.tsx';
import { MembershipsCard } from './memberships-card.tsx';
import { MethodsCard } from './methods-card.tsx';
import { offeredActions, PersonActions } from './person-actions.tsx';
import { PersonHead } from './person-head.tsx';
import { SectionCard } from './section-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SignInAnswer } from './sign-in-answer.tsx';
import { signInStateOf } from './sign-in-state.ts';
import { Summary } from './summary.tsx';
import { usePersonEvents } from './use-person-events.ts';

interface PersonProps {
  record: UserRecord;
  me: Account;
  /** Shows a changed user. */
  onChange: (user: User) => Promise<void>;
}

/** Everything that the signed-in user can read about a user, and what they can do. */
export function Person({ record, me, onChange }: PersonProps) {
  const { route } = useLocation();
  const { user, details } = record;
  const [action, setAction] = useState<UserAction | null>(null);
  const [ending, setEnding] = useState<ListedSession | null>(null);
  const seesSignIns = scopeOf(me.role, 'user:read') === 'any';
  const seesActivity = has(me.role, 'audit:read');
  const events = usePersonEvents(user.id, user.status === 'disabled', seesActivity ? record : null);
  const known = events.resource.status === 'ready' ? events.resource.value : null;
  const possible = offeredActions(record).flatMap((each) => (each.obstacle === null ? [each.action] : []));
  const state = signInStateOf(record, known?.recent ?? []);
  const organizationName = (wanted: string) => details?.organizations.find(({ id }) => id === wanted)?.name;

  const onChanged = (changed: User, words: string, undo?: () => Promise<User>) => {
    setAction(null);
    setEnding(null);
    toast(words, undo && (async () => onChange(await undo())));
    void onChange(changed).then(() => {
      // The button that had the focus may no longer exist.
      if (document.activeElement === document.body) focusPageHeading();
    });
  };

  const onRemoved = ({ username }: User) => {
    toast(t('users.deleted', { name: username }));
    route(lastUsersUrl());
  };

  return (
    <div class="person-page">
      <PersonHead
        user={user}
        isMe={user.id === me.id}
        actions={<PersonActions record={record} onChoose={setAction} />}
      />
      {state && (
        <SignInAnswer record={record} state={state} events={known} actions={possible} onChoose={setAction} />
      )}
      <Summary record={record} seesSignIns={seesSignIns} />
      <div class="person-page__columns">
        {details && (
          <div class="person-page__column">
            <MethodsCard details={details} seesSignIns={seesSignIns} />
            {details.sessions && (
              <SessionsCard
                sessions={details.sessions}
                onEndAll={possible.includes('sessions') ? () => setAction('sessions') : undefined}
                onEnd={possible.includes('sessions') ? setEnding : undefined}
              />
            )}
          </div>
        )}
        <div class="person-page__column">
          {details && hasOrganizations && <MembershipsCard organizations={details.organizations} />}
          {seesActivity && (
            <ActivityCard username={user.username} events={events} organizationName={organizationName} />
          )}
          <SectionCard title={t('person.userId')}>
            <div class="person-page__id">
              <code>{user.id}</code>
              <CopyButton text={user.id} what={t('person.copyId')} />
            </div>
          </SectionCard>
        </div>
      </div>
      {!details && <p class="person-page__note">{t('person.limited')}</p>}
      {ending && (
        <EndSessionDialog
          user={user}
          session={ending}
          onClose={() => setEnding(null)}
          onChanged={onChanged}
        />
      )}
      {action && (
        <UserDialogs
          user={user}
          details={details}
          me={me}
          action={action}
          onClose={() => setAction(null)}
          onChanged={onChanged}
          onRemoved={onRemoved}
        />
      )}
    </div>
  );
}
