import type { KeyHint } from '../components/key-hints.tsx';

/** The places one can be. */
export type ScreenName = 'home' | 'bootstrap' | 'invitations' | 'users' | 'activity' | 'doctor';

export interface ScreenProps {
  /** Leads home. */
  onBack: () => void;
}

export const moveHint: KeyHint = {
  keys: '↑↓ j k g G',
  does: 'move',
  means: 'move; page up and page down; to the top, to the end',
  hidden: true,
};

/** Whether a press asks to go back. */
export const isBack = (name: string): boolean => ['escape', 'left', 'h', 'q'].includes(name);
/** Whether a press asks to open what is selected. */
export const isOpen = (name: string): boolean => ['enter', 'right', 'l'].includes(name);
