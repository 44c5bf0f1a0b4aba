// The browser runs this script before it paints the page for the first time, so that no page appears briefly in the
// wrong colors or the wrong text direction. It is a separate file, because the content security policy forbids inline
// scripts.
import { declareLanguage, languageFor, readLanguage } from './messages/preference.ts';
import { applyTheme, readTheme } from './theme/preference.ts';

/** The paths of the scripts with messages, by language. The build defines this constant. */
declare const messageScripts: Readonly<Record<string, string>>;

applyTheme(readTheme());
const language = languageFor(readLanguage());
declareLanguage(language);
const script = messageScripts[language];
if (script) {
  // Starts to load the messages now. The script of the pages would import them only after it has loaded.
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = script;
  document.head.append(link);
}

/** Says that the page cannot be loaded. The text is part of the document, because the messages may also be missing. */
function showFailure(): void {
  const failure = document.querySelector<HTMLTemplateElement>(`#start-failed-${language}`);
  if (failure) document.getElementById('app')?.replaceChildren(failure.content.cloneNode(true));
}

// The script of the pages, or a script that it imports, could not be loaded.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showFailure);
    else showFailure();
  },
  true,
);
