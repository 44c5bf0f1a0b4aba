import 'latchkey/elements/sign-in';
import { ChevronRight, RectangleEllipsis, Ticket } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { VisitorsOnly } from '../components/visitors-only.tsx';
import { PasskeyIcon } from '../elements/passkey-icon.tsx';
import { useFailures } from '../elements/use-failures.ts';
import { Entrance } from '../entrance/entrance.tsx';
import { SetupNotice } from '../entrance/setup-notice.tsx';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { withReturnPath } from '../return-path.ts';
import { SessionEndedNotice } from '../session-ended/session-ended-notice.tsx';
import { brandName, signUpMode } from '../site-settings.ts';
import { Notice } from '../ui/notice.tsx';

export function SignInPage() {
  const { query } = useLocation();
  return (
    <VisitorsOnly destination={query.to}>
      <Entrance>
        <PageHeading title={t('entrance.signInTitle')} />
        <p class="entrance__lead">
          <T id="entrance.signInLead" values={{ product: <bdi>{brandName}</bdi> }} />
        </p>
        <SetupNotice />
        <SessionEndedNotice />
        {'deleted' in query && <Notice tone="info" title={t('entrance.accountDeleted')} />}
        <WaysIn to={query.to} />
        {signUpMode === 'open' && (
          <p class="entrance__aside">
            <T
              id="entrance.noAccountYet"
              values={{ link: (words) => <a href={withReturnPath('/signup', query.to)}>{words}</a> }}
            />
          </p>
        )}
      </Entrance>
    </VisitorsOnly>
  );
}

/** Offers sign-in with a passkey, and the other ways to sign in. */
const WaysIn = ({ to }: { to: string | undefined }) => (
  <>
    <SignInForm />
    <OtherWays to={to} />
  </>
);

const OtherWays = ({ to }: { to: string | undefined }) => (
  <div>
    <p class="other-ways__heading" id="other-ways">
      {t('entrance.otherWays')}
    </p>
    <ul class="other-ways" aria-labelledby="other-ways">
      <OtherWay icon={RectangleEllipsis} href={withReturnPath('/signin/password', to)}>
        {t('entrance.useYourPassword')}
      </OtherWay>
      <OtherWay icon={Ticket} href="/recover">
        {t('entrance.useRecoveryCode')}
      </OtherWay>
    </ul>
  </div>
);

interface OtherWayProps {
  icon: string;
  href: string;
  children: ComponentChildren;
}

const OtherWay = ({ icon, href, children }: OtherWayProps) => (
  <li>
    <a class="other-ways__link" href={href}>
      <Icon of={icon} />
      {children}
      <Icon of={ChevronRight} />
    </a>
  </li>
);

function SignInForm() {
  const { state, refresh } = useAccount();
  return (
    <latchkey-sign-in
      client={auth}
      username={(state.status === 'signed-out' && state.endedFor) || undefined}
      onlatchkey-signed-in={() => void refresh()}
      onlatchkey-failed={useFailures()}
    >
      <PasskeyIcon />
    </latchkey-sign-in>
  );
}
