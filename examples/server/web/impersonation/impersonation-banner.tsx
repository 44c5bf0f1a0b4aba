import type { Session, User } from 'latchkey/client';
import { TriangleAlert } from 'lucide-static';
import { useAccount } from '../account.tsx';
import { formatAt } from '../dates.ts';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

/** Tells an impersonator on every page whose account this is, and ends the impersonation. */
export function ImpersonationBanner() {
  const { state } = useAccount();
  if (state.status !== 'signed-in' || state.session.impersonator === null) return null;
  return <Banner user={state.user} session={state.session} />;
}

function Banner({ user, session }: { user: User; session: Session }) {
  const { signOut } = useAccount();
  const end = useAction(signOut);
  return (
    <section class="link-banner link-banner--warning" aria-label={t('common.impersonation')}>
      <div class="link-banner__inner">
        <div role="status" class="link-banner__text">
          <p>
            <Icon of={TriangleAlert} />
            <span>
              <T
                id="common.impersonating"
                values={{
                  username: <strong dir="auto">{user.username}</strong>,
                  end: formatAt(session.expiresAt),
                }}
              />
            </span>
          </p>
        </div>
        <Button variant="secondary" busy={end.busy} onClick={() => void end.run()}>
          {t('common.endImpersonation')}
        </Button>
        <ErrorNotice error={end.error} />
      </div>
    </section>
  );
}
