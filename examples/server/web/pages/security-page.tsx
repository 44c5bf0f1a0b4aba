import { PageHeading } from '../components/page-heading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { PasskeysSection } from '../security/passkeys-section.tsx';
import { SessionsSection } from '../security/sessions-section.tsx';

export function SecurityPage() {
  return (
    <RequireAccount>
      {() => (
        <>
          <PageHeading title="Security" />
          <PasskeysSection />
          <SessionsSection />
        </>
      )}
    </RequireAccount>
  );
}
