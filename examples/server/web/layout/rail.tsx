import type { User } from 'latchkey/client';
import { X } from 'lucide-static';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { BrandLink } from '../brand/brand-link.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { SearchButton } from '../palette/search-button.tsx';
import { AccountButton } from './account-button.tsx';
import { Navigation } from './navigation.tsx';

/** The rail is beside the content from this width on. The same width is in shell.css. */
const wide = '(width >= 64rem)';

/** The id of the rail, for the button that opens the rail as a drawer. */
export const railId = 'rail';

/** The brand, the navigation, and the account. On narrow screens, the browser shows it as a drawer (a popover). */
export function Rail({ user }: { user: User }) {
  const rail = useRef<HTMLDivElement>(null);
  const { url } = useLocation();

  const close = () => {
    if (rail.current?.matches(':popover-open')) rail.current.hidePopover();
  };

  // Closes the drawer after each navigation.
  useEffect(close, [url]);
  useEffect(() => {
    const query = matchMedia(wide);
    query.addEventListener('change', close);
    return () => query.removeEventListener('change', close);
  });

  return (
    <div class="rail" id={railId} popover="auto" ref={rail}>
      <div class="rail__brand">
        <BrandLink />
        <button
          type="button"
          class="rail__close"
          popovertarget={railId}
          popovertargetaction="hide"
          aria-label={t('layout.closeNavigation')}
        >
          <Icon of={X} />
        </button>
      </div>
      <SearchButton place="rail" onOpen={close} />
      <Navigation user={user} />
      <AccountButton user={user} place="rail" />
    </div>
  );
}
