import { SunMoon } from 'lucide-static';
import { t } from '../messages/t.tsx';
import { QuietSelect } from '../ui/quiet-select.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { themes } from './themes.ts';
import { chooseTheme, useTheme } from './use-theme.ts';

/** Chooses the colors in this browser. */
export const ThemeChoice = () => (
  <SegmentedControl
    label={t('layout.theme')}
    hasVisibleLabel
    value={useTheme()}
    onValue={chooseTheme}
    options={themes.map(({ theme, name, icon }) => [theme, name(), icon])}
  />
);

/** Like `ThemeChoice`, in one line. */
export const SmallThemeChoice = () => (
  <QuietSelect
    icon={SunMoon}
    label={t('layout.theme')}
    value={useTheme()}
    onValue={chooseTheme}
    options={themes.map(({ theme }) => [theme, t('layout.themeNamed', { theme })])}
  />
);
