// The browser runs this script before it paints the page for the first time, so that no page flashes in the wrong colors
// or with the wrong direction of text. It is a separate file, because the content security policy forbids inline scripts.
import { declareLanguage, languageFor, readLanguage } from './messages/preference.ts';
import { applyTheme, readTheme } from './theme/preference.ts';

/** The build defines it: the paths of the scripts with messages, by language. */
declare const messageScripts: Readonly<Record<string, string>>;

applyTheme(readTheme());
const language = languageFor(readLanguage());
declareLanguage(language);
const script = messageScripts[language];
if (script) {
  // Loads the messages at the same time as the script of the pages, which imports them.
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = script;
  document.head.append(link);
}

/** The message is part of the document, because the messages of the pages may not have been loaded either. */
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
