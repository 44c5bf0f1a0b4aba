import type { Account, Session } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { PageHeading } from '../components/page-heading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { FirstSteps, hasStepsLeft } from '../dashboard/first-steps.tsx';
import { impersonatorName, methodNames } from '../methods.ts';
import { ReceivedSection } from '../received-invitations/received-section.tsx';
import { codesLeft, fewCodes } from '../recovery/codes-left.ts';
import { roleNames } from '../roles.ts';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';

export function DashboardPage() {
  return <RequireAccount>{(user, session) => <Dashboard user={user} session={session} />}</RequireAccount>;
}

function Dashboard({ user, session }: { user: Account; session: Session }) {
  const { query } = useLocation();
  return (
    <>
      <PageHeading title="Your account">
        Hello, <bdi>{user.displayName ?? user.username}</bdi>
      </PageHeading>
      {'recovered' in query && <AfterRecovery user={user} />}
      <ReceivedSection hidesEmpty />
      {hasStepsLeft(user) && <FirstSteps user={user} />}
      <section class="section" aria-labelledby="account-facts">
        <div class="section__head">
          <h2 id="account-facts">Account</h2>
          <a href="/settings/profile">Edit profile</a>
        </div>
        <dl class="facts">
          <Fact name="Username">{user.username}</Fact>
          {user.displayName && <Fact name="Display name">{user.displayName}</Fact>}
          {user.role !== 'user' && <Fact name="Role">{roleNames[user.role]}</Fact>}
          <Fact name="Created">
            <Time at={user.createdAt} />
          </Fact>
          {session.impersonator ? (
            <Fact name="Impersonation">
              Started <Time at={session.createdAt} relative /> by{' '}
              <bdi>{impersonatorName(session.impersonator)}</bdi>
            </Fact>
          ) : (
            <Fact name="Last authenticated">
              <Time at={session.authenticatedAt} relative />, with {methodNames[session.method]}
            </Fact>
          )}
          <Fact name="Passkeys">
            {user.passkeyCount === 1 ? '1 passkey' : `${user.passkeyCount} passkeys`}
            <Manage what="passkeys and sessions" />
          </Fact>
          <Fact name="Recovery codes">
            <span class={user.recoveryCodesRemaining <= fewCodes ? 'facts__warning' : undefined}>
              {codesLeft(user.recoveryCodesRemaining)}
            </span>
            <Manage what="recovery codes" />
          </Fact>
        </dl>
      </section>
    </>
  );
}

/** Shown after a recovery. Says what the recovery changed, and links to the page where the user can review it. */
const AfterRecovery = ({ user }: { user: Account }) => (
  <Notice
    tone="info"
    title="Your account is recovered"
    action={
      <a class="button button--secondary" href="/settings/security">
        Review sign-in methods
      </a>
    }
  >
    All your other sessions have ended. Everything that you did not keep was removed.
    {user.hasPassword && ' Your password still works.'}
  </Notice>
);

const Manage = ({ what }: { what: string }) => (
  <a class="facts__link" href="/settings/security">
    Manage<span class="visually-hidden"> {what}</span>
  </a>
);

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="facts__row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
