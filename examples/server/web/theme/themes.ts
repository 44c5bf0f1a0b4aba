import { Monitor, Moon, Sun } from 'lucide-static';
import { t } from '../messages/t.tsx';
import type { Theme } from './preference.ts';

/** The themes with their icons, in the order of the controls. */
export const themes: readonly { theme: Theme; icon: string; name: () => string }[] = [
  { theme: 'light', icon: Sun, name: () => t('layout.themeLight') },
  { theme: 'dark', icon: Moon, name: () => t('layout.themeDark') },
  { theme: 'system', icon: Monitor, name: () => t('layout.themeSystem') },
];
