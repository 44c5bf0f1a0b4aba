import { useEffect, useState } from 'preact/hooks';
import { loadScript } from '../load-script.ts';
import type { Language } from './languages.ts';
import {
  declareLanguage,
  type LanguagePreference,
  languageFor,
  localeFor,
  readLanguage,
  storeLanguage,
} from './preference.ts';
import { type Areas, addMessages, setMessages } from './text.ts';
import visitorEn from './visitor-en.ts';

export { languages } from './languages.ts';

type Bundle = 'visitor' | 'link' | 'console';

// The first script contains the English bundle `visitor`, so that the pages have texts if another language cannot load.
const bundles: Record<Language, Record<Bundle, () => Promise<Areas>>> = {
  en: {
    visitor: async () => visitorEn,
    link: async () => (await import('./link-en.ts')).default,
    console: async () => (await import('./console-en.ts')).default,
  },
  de: {
    visitor: async () => (await import('./visitor-de.ts')).default,
    link: async () => (await import('./link-de.ts')).default,
    console: async () => (await import('./console-de.ts')).default,
  },
};

let preference = readLanguage();
let shown: Language = 'en';
let latest: Language = 'en';
const needed = new Set<Bundle>(['visitor']);
const complete = new Set<Bundle>(['visitor']);
const listeners = new Set<() => void>();

/** Loads the language before the first render. If this fails, the pages are in English. */
export async function startLanguage(): Promise<void> {
  try {
    await show(languageFor(preference));
  } catch {
    await show('en');
  }
}

/**
 * Shows the pages in another language and stores the choice in this browser. Keeps what the user typed.
 *
 * @throws AuthClientError `network_error` if the messages cannot be loaded. The language then stays unchanged.
 */
export async function chooseLanguage(chosen: LanguagePreference): Promise<void> {
  // Stores the choice first, because `loadScript` may reload the page.
  storeLanguage(chosen);
  try {
    await loadScript(() => show(languageFor(chosen)), false);
  } catch (error) {
    storeLanguage(preference);
    throw error;
  }
  preference = chosen;
  for (const listener of listeners) listener();
}

async function show(language: Language): Promise<void> {
  latest = language;
  const loaded = new Map<Bundle, Areas>();
  // While a bundle loads, a page can add another bundle to `needed`.
  for (const bundle of needed) loaded.set(bundle, await bundles[language][bundle]());
  // The user has chosen another language meanwhile.
  if (language !== latest) return;
  setMessages(Object.assign({}, ...loaded.values()), localeFor(language));
  declareLanguage(language);
  shown = language;
}

/** Loads the messages of the pages for signed-in users, before such a page renders. */
export const loadConsoleMessages = (): Promise<void> => load('console', 'link');

/** Loads the messages of the pages that users open with a link, and of account recovery. */
export const loadLinkMessages = (): Promise<void> => load('link');

async function load(...names: Bundle[]): Promise<void> {
  const missing = names.filter((name) => !complete.has(name));
  if (missing.length === 0) return;
  for (const name of missing) needed.add(name);
  const language = shown;
  const areas = await Promise.all(missing.map((name) => bundles[language][name]()));
  // If the user has chosen another language meanwhile, `show` has already loaded these bundles.
  if (language === shown) for (const each of areas) addMessages(each);
  for (const name of missing) complete.add(name);
  for (const listener of listeners) listener();
}

/**
 * Renders the component again when the language changes or more messages arrive. Returns what the user chose in this
 * browser: a language, or `system` for the languages of the browser.
 */
export function useLanguage(): LanguagePreference {
  const [, render] = useState(0);
  useEffect(() => {
    const listener = () => render((count) => count + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return preference;
}
