import { PageHeading } from '../components/page-heading.tsx';

const causes: Record<string, { title: string; lead: string }> = {
  invitation_unusable: {
    title: 'This invitation doesn’t work any more',
    lead: 'It has been used or taken back, or its time has run out. Whoever sent it can send you another one.',
  },
  invitation_not_found: {
    title: 'There is no such invitation',
    lead: 'The link may have been cut off on its way. Open it again as you were sent it, or ask for another one.',
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
