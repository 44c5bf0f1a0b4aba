import { PageHeading } from '../components/page-heading.tsx';
import { t } from '../messages/t.tsx';

/** Shown if an invitation cannot be accepted. @param code the code of the error */
export function DeadInvitation({ code }: { code: string }) {
  const isUnknown = code === 'invitation_not_found';
  return (
    <>
      <PageHeading title={isUnknown ? t('invitation.unknown') : t('invitation.unusable')} />
      <p class="entrance__lead">{isUnknown ? t('invitation.unknownLead') : t('invitation.unusableLead')}</p>
      <p>
        <a href="/">{t('invitation.toAccount')}</a>
      </p>
    </>
  );
}
