import type { Account } from 'latchkey/client';
import { PageHead } from '../components/page-head.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { t } from '../messages/t.tsx';
import { DeleteAccountSection } from '../security/delete-account-section.tsx';
import { PasskeysSection } from '../security/passkeys-section.tsx';
import { PasswordSection } from '../security/password-section.tsx';
import { RecoveryCodesSection } from '../security/recovery-codes-section.tsx';
import { SessionsSection } from '../security/sessions-section.tsx';
import { useSessions } from '../security/use-sessions.ts';

export function SecurityPage() {
  return <RequireAccount>{(user) => <Security user={user} />}</RequireAccount>;
}

function Security({ user }: { user: Account }) {
  const sessions = useSessions();
  return (
    <>
      <PageHead title={t('security.title')} lead={t('security.lead')} />
      <PasskeysSection onRemoved={sessions.forgetOthers} />
      <RecoveryCodesSection user={user} />
      <PasswordSection user={user} sessions={sessions} />
      <SessionsSection sessions={sessions} />
      <DeleteAccountSection user={user} />
    </>
  );
}
