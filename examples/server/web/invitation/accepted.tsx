import type { Role } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';

/** Shown after a user accepted an invitation, or signed up with it. */
export const Accepted = ({ role }: { role: Role }) =>
  role === 'user' ? (
    <>
      <PageHeading title="Your account is ready" />
      <p class="entrance__lead">You’re signed in.</p>
      <div class="form form--close">
        <a class="button button--primary button--wide" href="/">
          Go to your account
        </a>
      </div>
    </>
  ) : (
    <>
      <PageHeading title="You’re now an admin" />
      <p class="entrance__lead">Create an organization and invite members. You can then see and help them.</p>
      <div class="form form--close">
        <a class="button button--primary button--wide" href="/organizations">
          Go to organizations
        </a>
        <a class="button button--secondary button--wide" href="/">
          Go to your account
        </a>
      </div>
    </>
  );
