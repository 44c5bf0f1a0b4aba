import { t } from '../messages/t.tsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open the command palette, as keyboards name them. */
export const shortcut = (): string => (isApple ? '⌘K' : t('layout.controlK'));

/** For `aria-keyshortcuts`. */
export const ariaShortcut = isApple ? 'Meta+K' : 'Control+K';

/**
 * Whether the user pressed the shortcut. On Apple devices, Control+K deletes the rest of a line, so the shortcut is
 * Command+K.
 */
export const isShortcut = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  (isApple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.altKey &&
  !event.shiftKey;
