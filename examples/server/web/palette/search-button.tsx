import { Search } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { openPalette } from './overlays.tsx';
import { ariaShortcut, shortcut } from './shortcut.ts';

interface SearchButtonProps {
  /** In the top bar, the button shows only its icon. */
  place: 'rail' | 'top-bar';
  /** Called before the command palette opens. */
  onOpen?: () => void;
}

/** Opens the command palette. */
export function SearchButton({ place, onOpen }: SearchButtonProps) {
  const open = () => {
    onOpen?.();
    openPalette();
  };
  if (place === 'top-bar')
    return (
      <button
        type="button"
        class="top-bar__button search-button"
        aria-label={t('layout.search')}
        onClick={open}
      >
        <Icon of={Search} />
      </button>
    );
  return (
    <button type="button" class="search-field" aria-keyshortcuts={ariaShortcut} onClick={open}>
      <Icon of={Search} />
      <span class="search-field__text">{t('layout.search')}</span>
      <span class="search-field__keys" aria-hidden="true">
        {shortcut()}
      </span>
    </button>
  );
}
