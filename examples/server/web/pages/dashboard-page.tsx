import type { Account, Session } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { CheckIcon, CircleIcon } from '../components/icons.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { Time } from '../components/time.tsx';

export function DashboardPage() {
  return <RequireAccount>{(user, session) => <Dashboard user={user} session={session} />}</RequireAccount>;
}

function Dashboard({ user, session }: { user: Account; session: Session }) {
  return (
    <>
      <PageHeading title="Your account">Hello, {user.displayName ?? user.username}</PageHeading>
      {user.passkeyCount < 2 && <FirstSteps user={user} />}
      <section class="section" aria-labelledby="account-facts">
        <div class="section__head">
          <h2 id="account-facts">Account</h2>
        </div>
        <dl class="facts">
          <Fact name="Username">{user.username}</Fact>
          {user.displayName && <Fact name="Display name">{user.displayName}</Fact>}
          {user.role !== 'user' && <Fact name="Role">{roleNames[user.role]}</Fact>}
          <Fact name="Member since">
            <Time at={user.createdAt} />
          </Fact>
          <Fact name="Last confirmed">
            <Time at={session.authenticatedAt} relative />, with a {methodNames[session.method]}
          </Fact>
          <Fact name="Passkeys">
            {user.passkeyCount === 1 ? '1 passkey' : `${user.passkeyCount} passkeys`}
            <a class="facts__link" href="/settings/security">
              Manage<span class="visually-hidden"> passkeys and sessions</span>
            </a>
          </Fact>
        </dl>
      </section>
    </>
  );
}

const roleNames = { user: 'Member', admin: 'Administrator', superadmin: 'Superadministrator' };
const methodNames = {
  passkey: 'passkey',
  password: 'password',
  recovery_code: 'recovery code',
  assisted_recovery: 'recovery link',
};

function FirstSteps({ user }: { user: Account }) {
  return (
    <section class="section" aria-labelledby="first-steps">
      <div class="section__head">
        <h2 id="first-steps">First steps</h2>
      </div>
      <ul class="list">
        <Step done title="Create your account">
          You sign in as <strong>{user.username}</strong> with a passkey.
        </Step>
        <Step
          done={user.passkeyCount > 1}
          title="Add a second passkey"
          action={
            <a class="button button--primary" href="/settings/security">
              Add a passkey
            </a>
          }
        >
          On another device, or on a security key. If you lose one, the other still lets you in.
        </Step>
      </ul>
    </section>
  );
}

interface StepProps {
  done: boolean;
  title: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}

function Step({ done, title, action, children }: StepProps) {
  return (
    <li class={`row${done ? ' row--done' : ''}`}>
      <span class="row__icon">{done ? <CheckIcon /> : <CircleIcon />}</span>
      <div class="row__text">
        <h3 class="row__title">
          {title}
          {done && <span class="visually-hidden"> (done)</span>}
        </h3>
        <p class="row__meta">{children}</p>
      </div>
      {action && <div class="row__actions row__actions--prominent">{action}</div>}
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="facts__row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
