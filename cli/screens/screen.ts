import type { KeyHint } from '../components/key-hints.tsx';

export type ScreenName = 'home' | 'bootstrap' | 'invitations' | 'users' | 'activity' | 'doctor';

export interface ScreenProps {
  onBack: () => void;
}

export const moveHint: KeyHint = {
  keys: '↑↓ j k g G',
  does: 'move',
  means: 'move by row or by page; g goes to the top, G to the end',
  hidden: true,
};

/** Whether a key goes back. */
export const isBack = (name: string): boolean => ['escape', 'left', 'h', 'q'].includes(name);
/** Whether a key opens the selected item. */
export const isOpen = (name: string): boolean => ['enter', 'right', 'l'].includes(name);
