import type { User } from 'latchkey/client';
import { Menu } from 'lucide-static';
import { BrandLink } from '../brand/brand-link.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { SearchButton } from '../palette/search-button.tsx';
import { AccountButton } from './account-button.tsx';
import { railId } from './rail.tsx';

/** Replaces the rail on narrow screens. */
export const TopBar = ({ user }: { user: User }) => (
  <div class="top-bar">
    <button
      type="button"
      class="top-bar__button"
      popovertarget={railId}
      aria-label={t('layout.openNavigation')}
    >
      <Icon of={Menu} />
    </button>
    <BrandLink />
    <SearchButton place="top-bar" />
    <AccountButton user={user} place="top-bar" />
  </div>
);
