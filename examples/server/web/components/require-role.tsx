import type { Account, Role } from 'latchkey/client';
import type { ComponentChild } from 'preact';
import { t } from '../messages/t.tsx';
import { roleNames } from '../roles.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeading } from './page-heading.tsx';
import { RequireAccount } from './require-account.tsx';

interface RequireRoleProps {
  /** Whether users with a role can open the page. */
  allows: (role: Role) => boolean;
  children: (user: Account) => ComponentChild;
}

/** Renders its children for users whose role can open the page. The service checks the role on every request. */
export const RequireRole = ({ allows, children }: RequireRoleProps) => (
  <RequireAccount>
    {(user) =>
      allows(user.role) ? (
        children(user)
      ) : (
        <div class="section">
          <PageHeading title={t('common.noAccessTitle')} />
          <EmptyState
            action={
              <a class="button button--secondary" href="/">
                {t('common.goToAccount')}
              </a>
            }
          >
            {whoCanOpen(allows)} {t('common.roleChanged')}
          </EmptyState>
        </div>
      )
    }
  </RequireAccount>
);

/** Names only the lowest role. By default, higher roles have all capabilities of lower roles. */
function whoCanOpen(allows: (role: Role) => boolean): string {
  const lowest = (Object.keys(roleNames) as Role[]).find(allows);
  return lowest ? t('common.onlyRole', { role: lowest }) : t('common.noRole');
}
