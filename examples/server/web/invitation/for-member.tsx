import { type Account, type InvitationPreview, isAtLeast } from 'latchkey/client';
import { roleRefusal } from '../components/role-refusal.ts';
import type { Explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Notice } from '../ui/notice.tsx';
import { AcceptActions } from './accept-actions.tsx';
import type { Acceptance } from './invitation-flow.tsx';
import { Offer } from './offer.tsx';

const words = (error: unknown): Record<string, Explanation> => ({
  ...roleRefusal(error, t('invitation.passkeysNotAllowed')),
  role_already_held: {
    tone: 'info',
    title: t('invitation.alreadyHasRole', { role: 'admin' }),
    body: t('invitation.noNeed'),
  },
});

interface ForMemberProps {
  invitation: InvitationPreview;
  user: Account;
  accept: Acceptance;
}

/** The page of an invitation for a signed-in user. The invitation can be for a different user, or for a sign-up. */
export function ForMember({ invitation, user, accept }: ForMemberProps) {
  const { username } = invitation;
  const isForAnother = username !== null && username !== user.username;
  const hasRole = isAtLeast(user.role, invitation.role);

  return (
    <>
      <Offer invitation={invitation} />
      <p>
        <T id="invitation.signedInAs" values={{ username: <strong dir="auto">{user.username}</strong> }} />
      </p>
      {isForAnother && (
        <Notice tone="warning" title={t('invitation.forAnother', { username })}>
          {t('invitation.forAnotherBody', { username })}
        </Notice>
      )}
      {!isForAnother && invitation.role === 'user' && (
        <Notice tone="info" title={t('invitation.hasAccount')}>
          {t('invitation.hasAccountBody')}
        </Notice>
      )}
      {!isForAnother && hasRole && invitation.role !== 'user' && (
        <Notice tone="info" title={t('invitation.alreadyHasRole', { role: user.role })}>
          {username === null ? t('invitation.noNeedOthers') : t('invitation.noNeed')}
        </Notice>
      )}
      <AcceptActions accept={accept} mayAccept={!isForAnother && !hasRole} words={words(accept.error)} />
    </>
  );
}
