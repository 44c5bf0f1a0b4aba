import type { Account } from 'latchkey/client';
import { CircleCheck, CircleDashed } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';

const hasSpare = ({ passkeyCount }: Account) => passkeyCount > 1;
const hasCodes = ({ recoveryCodesRemaining }: Account) => recoveryCodesRemaining > 0;

export const hasStepsLeft = (user: Account): boolean => !hasSpare(user) || !hasCodes(user);

/** The steps that protect a new account against a lost device. */
export function FirstSteps({ user }: { user: Account }) {
  return (
    <section class="section" aria-labelledby="first-steps">
      <div class="section__head">
        <h2 id="first-steps">First steps</h2>
      </div>
      <ul class="list">
        <Step done title="Create your account">
          You sign in as <strong>{user.username}</strong>.
        </Step>
        <Step
          done={hasSpare(user)}
          title={user.passkeyCount === 0 ? 'Add a passkey' : 'Add a second passkey'}
          action={<ToSecurity primary>Add passkey</ToSecurity>}
        >
          {user.passkeyCount === 0
            ? 'Sign in with your fingerprint, your face or the screen lock. A fake website can’t steal a passkey.'
            : 'Use another device or a security key. If you lose one passkey, you can sign in with the other.'}
        </Step>
        <Step
          done={hasCodes(user)}
          title="Save your recovery codes"
          action={<ToSecurity primary={hasSpare(user)}>Create recovery codes</ToSecurity>}
        >
          Keep them on paper or in a password manager. If you lose all passkeys, you can recover your account
          with a code.
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
      <span class="row__icon">{done ? <Icon of={CircleCheck} /> : <Icon of={CircleDashed} />}</span>
      <div class="row__text">
        <h3 class="row__title">
          {title}
          {done && <span class="visually-hidden"> (done)</span>}
        </h3>
        <p class="row__meta">{children}</p>
      </div>
      {action && !done && <div class="row__actions row__actions--prominent">{action}</div>}
    </li>
  );
}

/** A link to the security page. The link of the next step looks like a primary button. */
const ToSecurity = ({ primary, children }: { primary: boolean; children: ComponentChildren }) => (
  <a class={`button button--${primary ? 'primary' : 'secondary'}`} href="/settings/security">
    {children}
  </a>
);
