import type { Organization } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { TabLink, TabLinks } from '../ui/tabs.tsx';
import { type Tab, tabHref } from './use-tab.ts';

interface OrganizationTabsProps {
  organization: Organization;
  tabs: readonly Tab[];
  tab: Tab;
  /** The number of items of each tab. */
  counts: Partial<Record<Tab, string | undefined>>;
}

export const OrganizationTabs = ({
  organization: { id, name },
  tabs,
  tab,
  counts,
}: OrganizationTabsProps) => (
  <TabLinks label={t('organizations.tabs', { name })}>
    {tabs.map((each) => (
      <TabLink key={each} href={tabHref(id, each)} isHere={each === tab} count={counts[each]}>
        {t('organizations.tab', { tab: each })}
      </TabLink>
    ))}
  </TabLinks>
);
