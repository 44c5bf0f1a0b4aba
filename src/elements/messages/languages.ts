import { en, type Messages } from './en.ts';

const known = new Map<string, Messages>([['en', en]]);
const changes = new EventTarget();

/**
 * Adds the texts of a language, or replaces them. Elements in this language show the new texts immediately.
 *
 * @param language a language tag, such as `fr` or `pt-BR` (BCP 47)
 * @throws TypeError if `language` is not a language tag
 * @example
 * addMessages('en-GB', { ...en, signIn: { ...en.signIn, submit: 'Log in with a passkey' } });
 */
export function addMessages(language: string, messages: Messages): void {
  known.set(canonical(language), messages);
  changes.dispatchEvent(new Event('change'));
}

let isObserving = false;

/** Calls `listener` after each change of the texts or of the page’s language, until the signal aborts. */
export function onMessagesChange(listener: () => void, signal: AbortSignal): void {
  changes.addEventListener('change', listener, { signal });
  if (isObserving) return;
  isObserving = true;
  new MutationObserver(() => changes.dispatchEvent(new Event('change'))).observe(document.documentElement, {
    attributeFilter: ['lang'],
  });
}

/** Returns the texts of the language. If `de-AT` has no texts, returns those of `de`, or else the English texts. */
export function messagesFor(language: string): Messages {
  for (let tag = language; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const messages = known.get(tag);
    if (messages) return messages;
  }
  return en;
}

/** Returns the first valid language tag in its usual spelling. Default: `en`. */
export function languageOf(...tags: (string | null | undefined)[]): string {
  for (const tag of tags) {
    try {
      if (tag) return canonical(tag);
    } catch {
      // Pages can contain invalid tags. The next tag applies.
    }
  }
  return 'en';
}

function canonical(language: string): string {
  try {
    const [tag] = Intl.getCanonicalLocales(language);
    if (tag) return tag;
  } catch {
    // The error below contains the invalid value.
  }
  throw new TypeError(`language: expected a language tag such as "de", got ${JSON.stringify(language)}`);
}
