import { useLocation } from 'preact-iso/router';
import { type InvitationStatus, isStatus } from './invitation-words.ts';

export type Tab = 'members' | 'invitations' | 'settings';

interface TabState {
  tab: Tab;
  /** The status of the invitations on the tab of the invitations. Null: every status. */
  status: InvitationStatus | null;
}

/** The tab and the filter in the URL. @param tabs the tabs that the user can open, the default first */
export function useTab(tabs: readonly Tab[]): TabState {
  const { query } = useLocation();
  const tab = tabs.find((each) => each === query.tab) ?? tabs[0] ?? 'settings';
  return { tab, status: isStatus(query.status) ? query.status : null };
}

/** The address of a tab. The default tab has no parameter. */
export const tabHref = (organizationId: string, tab: Tab): string =>
  `/organizations/${organizationId}${tab === 'members' ? '' : `?tab=${tab}`}`;
