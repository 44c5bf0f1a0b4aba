import { useEffect, useState } from 'preact/hooks';
import { applyTheme, readTheme, storeTheme, type Theme } from './preference.ts';

const changed = 'latchkey:theme';

/** Changes the theme in this browser, and updates all components that show the choice. */
export function chooseTheme(theme: Theme): void {
  storeTheme(theme);
  applyTheme(theme);
  dispatchEvent(new CustomEvent<Theme>(changed, { detail: theme }));
}

/** The chosen theme. Changes when any part of the page changes it. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    const onChange = (event: Event) => setTheme((event as CustomEvent<Theme>).detail);
    addEventListener(changed, onChange);
    return () => removeEventListener(changed, onChange);
  }, []);
  return theme;
}
