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

// English is part of the first script. So the pages have texts even if another language cannot be loaded.
const forVisitors: Record<Language, () => Promise<Areas>> = {
  en: async () => visitorEn,
  de: async () => (await import('./visitor-de.ts')).default,
};
const forUsers: Record<Language, () => Promise<Areas>> = {
  en: async () => (await import('./console-en.ts')).default,
  de: async () => (await import('./console-de.ts')).default,
};

let preference = readLanguage();
let shown: Language = 'en';
let needsConsole = false;
const listeners = new Set<() => void>();

/** What the user chose in this browser: a language, or `system` for the languages of the browser. */
export const chosenLanguage = (): LanguagePreference => preference;

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
 * @throws AuthClientError `network_error` if the messages cannot be loaded. Then the language stays unchanged.
 */
export async function chooseLanguage(chosen: LanguagePreference): Promise<void> {
  await loadScript(() => show(languageFor(chosen)), true);
  preference = chosen;
  storeLanguage(chosen);
  for (const listener of listeners) listener();
}

async function show(language: Language): Promise<void> {
  const visitor = await forVisitors[language]();
  const user = needsConsole ? await forUsers[language]() : {};
  setMessages({ ...visitor, ...user }, localeFor(language));
  declareLanguage(language);
  shown = language;
}

/** Loads the messages for signed-in users. A page for signed-in users needs them before it renders. */
export async function loadConsoleMessages(): Promise<void> {
  needsConsole = true;
  const language = shown;
  const messages = await forUsers[language]();
  // If the user has chosen another language meanwhile, its messages are complete.
  if (language === shown) addMessages(messages);
}

/** Renders the component again when the user chooses another language. */
export function useLanguage(): LanguagePreference {
  const [, render] = useState(0);
  useEffect(() => {
    const listener = () => render((count) => count + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return preference;
}
