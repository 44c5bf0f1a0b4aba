import { Search } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';

/** Searches the members of an organization. */
export const MemberSearch = ({ value, onValue }: { value: string; onValue: (typed: string) => void }) => (
  <search class="search">
    <Icon of={Search} inline />
    <input
      type="search"
      class="input"
      aria-label={t('organizations.searchMembers')}
      placeholder={t('organizations.searchMembers')}
      value={value}
      maxLength={254}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </search>
);
