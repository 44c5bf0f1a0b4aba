/** The colors that the user chose. `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'theme';
const isChosen = (value: unknown): value is 'light' | 'dark' => value === 'light' || value === 'dark';

/** The choice is stored in this browser only. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return isChosen(stored) ? stored : 'system';
  } catch {
    // Some browsers have no storage, for example if the user blocked cookies.
    return 'system';
  }
}

export function storeTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // The theme applies until the page is closed.
  }
}

/** Sets the colors of the page and of the browser’s toolbar. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    // The color of each scheme is written in the document, beside its media query.
    const own =
      meta.dataset.scheme === 'dark' ? '(prefers-color-scheme: dark)' : '(prefers-color-scheme: light)';
    meta.media = theme === 'system' ? own : meta.dataset.scheme === theme ? 'all' : 'not all';
  }
}
