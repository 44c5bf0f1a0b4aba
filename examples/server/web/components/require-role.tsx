import type { Account, Role } from 'latchkey/client';
import type { ComponentChild } from 'preact';
import { isAtLeast, roleNames } from '../roles.ts';
import { PageHeading } from './page-heading.tsx';
import { RequireAccount } from './require-account.tsx';

interface RequireRoleProps {
  minimum: Role;
  children: (user: Account) => ComponentChild;
}

/** Renders for people of a role; the service decides for itself, at every call. */
export const RequireRole = ({ minimum, children }: RequireRoleProps) => (
  <RequireAccount>
    {(user) =>
      isAtLeast(user.role, minimum) ? (
        children(user)
      ) : (
        <div class="section">
          <PageHeading title="This page isn’t for you" />
          <p>
            It’s for {roleNames[minimum].toLowerCase()}s. Your role may have changed.{' '}
            <a href="/">Go to your account</a>
          </p>
        </div>
      )
    }
  </RequireAccount>
);
