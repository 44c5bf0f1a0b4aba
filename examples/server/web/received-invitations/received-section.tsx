import type { Organization, OrganizationInvitation } from 'latchkey/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { announce } from '../components/announcer.tsx';
import { ItemList } from '../components/item-list.tsx';
import { codeOf, type Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { DeclineDialog } from './decline-dialog.tsx';
import { countOf, useReceived } from './received.tsx';
import { ReceivedRow } from './received-row.tsx';

const words = (): Record<string, Explanation> => ({
  already_a_member: {
    tone: 'info',
    title: t('organizations.alreadyMember'),
    body: t('organizations.alreadyMemberBody'),
  },
});

/** Gets the focus when the section disappears. */
const pageHeading = () => document.querySelector<HTMLElement>('.page-heading');

/** Whether the error means that the list is outdated. */
const isGone = (error: unknown): boolean =>
  ['invitation_unusable', 'invitation_not_found', 'already_a_member'].includes(codeOf(error));

interface ReceivedSectionProps {
  /** Hides the section while there are no invitations. */
  hidesEmpty?: boolean;
  onAccepted?: () => void;
}

/** The organization invitations that the user can accept or decline. */
export function ReceivedSection({ hidesEmpty = false, onAccepted }: ReceivedSectionProps) {
  const list = useReceived();
  const heading = useRef<HTMLHeadingElement>(null);
  const [accepting, setAccepting] = useState<string | null>(null);
  const [declining, setDeclining] = useState<OrganizationInvitation | null>(null);
  const [joined, setJoined] = useState<Pick<Organization, 'id' | 'name'> | null>(null);
  const reload = list?.reload;
  const isLoaded = list !== null && list.resource.status !== 'loading';

  // The list is shared with the navigation and can be outdated, so load it again.
  const wasLoaded = useRef(isLoaded);
  useEffect(() => {
    if (wasLoaded.current) void reload?.();
  }, [reload]);

  const leave = (gone: OrganizationInvitation, message: string) => {
    list?.update((known) => known.filter(({ id }) => id !== gone.id));
    announce(message);
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => (heading.current ?? pageHeading())?.focus());
  };

  const accept = useAction(async (invitation: OrganizationInvitation) => {
    setJoined(null);
    setAccepting(invitation.id);
    try {
      const { organization } = await auth.organizations.invitations.accept(invitation.id);
      setJoined(organization);
      leave(invitation, t('organizations.joinedAnnouncement', { organization: organization.name }));
      onAccepted?.();
    } catch (error) {
      if (isGone(error)) void reload?.();
      throw error;
    } finally {
      setAccepting(null);
    }
  });

  const onDeclined = (declined: OrganizationInvitation) => {
    setDeclining(null);
    leave(declined, t('organizations.declined', { organization: declined.organization.name }));
  };

  if (list === null) return null;
  const isEmpty = countOf(list) === null;
  if (hidesEmpty && isEmpty && joined === null && accept.error === null) return null;

  return (
    <section class="section" aria-labelledby="received-invitations">
      <div>
        <h2 id="received-invitations" tabIndex={-1} ref={heading}>
          {t('organizations.invitations')}
        </h2>
        <p class="section__lead">{t('organizations.receivedLead')}</p>
      </div>
      {joined && (
        <Notice
          tone="info"
          title={t('organizations.nowMember', { organization: joined.name })}
          action={
            <a class="button button--secondary" href={`/organizations/${joined.id}`}>
              {t('organizations.open')}
            </a>
          }
        />
      )}
      <ErrorNotice error={accept.error} words={words()} />
      {!(hidesEmpty && isEmpty) && (
        <ItemList
          list={list}
          what={t('organizations.whatInvitations')}
          empty={t('organizations.noReceived')}
          row={(invitation) => (
            <ReceivedRow
              key={invitation.id}
              invitation={invitation}
              isAccepting={accepting === invitation.id}
              onAccept={() => void accept.run(invitation)}
              onDecline={() => setDeclining(invitation)}
            />
          )}
        />
      )}
      {declining && (
        <DeclineDialog
          invitation={declining}
          onClose={() => setDeclining(null)}
          onDeclined={() => onDeclined(declining)}
        />
      )}
    </section>
  );
}
