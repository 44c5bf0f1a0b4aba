import { type Language, languages } from './languages.ts';

/** The language that the user chose. `system` follows the languages of the browser. */
export type LanguagePreference = 'system' | Language;

const key = 'language';
const languageOf = (tag: string | null): Language | undefined =>
  languages.find(({ code }) => code === tag?.toLowerCase().split('-')[0])?.code;

/** The choice is stored in this browser only. */
export function readLanguage(): LanguagePreference {
  try {
    return languageOf(localStorage.getItem(key)) ?? 'system';
  } catch {
    // Some browsers have no storage, for example if the user blocked cookies.
    return 'system';
  }
}

export function storeLanguage(preference: LanguagePreference): void {
  try {
    if (preference === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, preference);
  } catch {
    // Without storage, the choice applies until the page is closed.
  }
}

/** The language to show: the chosen one, else the browser's first language that the pages have, else English. */
export const languageFor = (preference: LanguagePreference): Language =>
  preference === 'system'
    ? (navigator.languages.map(languageOf).find((language) => language !== undefined) ?? 'en')
    : preference;

/** The locale for dates and numbers: the user's own variant of the language, such as "de-AT". */
export const localeFor = (language: Language): string =>
  navigator.languages.find((tag) => languageOf(tag) === language) ?? (language === 'en' ? 'en-GB' : language);

/** Declares the language and the text direction of the page. */
export function declareLanguage(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = languages.find(({ code }) => code === language)?.direction ?? 'ltr';
}
