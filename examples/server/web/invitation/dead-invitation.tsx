import { PageHeading } from '../components/page-heading.tsx';

const causes: Record<string, { title: string; lead: string }> = {
  invitation_unusable: {
    title: 'This invitation no longer works',
    lead: 'It was accepted or revoked, or it has expired. Ask for a new invitation.',
  },
  invitation_not_found: {
    title: 'Invitation not found',
    lead: 'The link may be incomplete. Open the link again from the message that you received, or ask for a new invitation.',
  },
};

export function DeadInvitation({ code }: { code: string }) {
  const cause = causes[code] ?? causes.invitation_unusable;
  return (
    <>
      <PageHeading title={cause?.title ?? ''} />
      <p class="entrance__lead">{cause?.lead}</p>
      <p>
        <a href="/">Go to your account</a>
      </p>
    </>
  );
}
