import { type Account, isAtLeast, type Role } from 'latchkey/client';
import type { ComponentChild } from 'preact';
import { roleNames } from '../roles.ts';
import { PageHeading } from './page-heading.tsx';
import { RequireAccount } from './require-account.tsx';

interface RequireRoleProps {
  minimum: Role;
  children: (user: Account) => ComponentChild;
}

/** Renders its children for users with at least the role `minimum`. The service checks the role on every request. */
export const RequireRole = ({ minimum, children }: RequireRoleProps) => (
  <RequireAccount>
    {(user) =>
      isAtLeast(user.role, minimum) ? (
        children(user)
      ) : (
        <div class="section">
          <PageHeading title="No access to this page" />
          <p>
            Only {roleNames[minimum].toLowerCase()}s can open this page. Your role may have changed.{' '}
            <a href="/">Go to your account</a>
          </p>
        </div>
      )
    }
  </RequireAccount>
);
