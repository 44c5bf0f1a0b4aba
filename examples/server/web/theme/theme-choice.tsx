import { Monitor, Moon, Sun } from 'lucide-static';
import { useId, useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { applyTheme, readTheme, storeTheme, type Theme } from './preference.ts';

const choices = [
  ['light', 'layout.themeLight', Sun],
  ['dark', 'layout.themeDark', Moon],
  ['system', 'layout.themeSystem', Monitor],
] as const;

/** Chooses the colors in this browser. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  const name = useId();
  const choose = (chosen: Theme) => {
    storeTheme(chosen);
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <fieldset class="theme-choice">
      <legend class="theme-choice__legend">{t('layout.theme')}</legend>
      <div class="theme-choice__options">
        {choices.map(([value, label, icon]) => (
          <label class="theme-choice__option" key={value}>
            <input
              class="visually-hidden"
              type="radio"
              name={name}
              checked={theme === value}
              onChange={() => choose(value)}
            />
            <Icon of={icon} inline />
            {t(label)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
