// Does not import Preact, so that tests without a browser can import modules that need only texts.
import icuFormat, { type CompiledMessage, type FormatValues } from 'icu-minify/format';
import type { Messages } from './messages.ts';
import visitor from './visitor-en.ts';

/** A key of a message: its area and its name. */
export type Key = keyof Messages;

interface Texts {
  text: string | number;
  number: number;
  choice: string;
  tag: never;
}

export type ValuesOf<K extends Key, By> = { [Name in keyof Messages[K]]: By[Messages[K][Name] & keyof By] };
type TextArguments<K extends Key> = Messages[K] extends null ? [] : [values: ValuesOf<K, Texts>];

/** The keys of messages that take no values. */
export type PlainKey = { [K in Key]: Messages[K] extends null ? K : never }[Key];

/** Messages by area and name. The build compiles them. */
export type Areas = Record<string, Record<string, CompiledMessage>>;

let areas: Areas = visitor;
let currentLocale = 'en-GB';

const formatters = {
  getNumberFormat: (...given: ConstructorParameters<typeof Intl.NumberFormat>) =>
    new Intl.NumberFormat(...given),
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) =>
    new Intl.PluralRules(...given),
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...given),
};

/** Replaces all messages. */
export function setMessages(given: Areas, locale: string): void {
  areas = given;
  currentLocale = locale;
}

/** Whether the messages of an area are loaded. */
export const hasArea = (area: string): boolean => areas[area] !== undefined;

/** Adds areas in the same language. */
export function addMessages(given: Areas): void {
  areas = { ...areas, ...given };
}

/** The locale for dates, numbers and lists. */
export const locale = (): string => currentLocale;

/** Formats a message: a text, or a list of texts and elements. */
export function format<Element>(key: Key, values: object = {}): string | Element | (string | Element)[] {
  const [area = '', name = ''] = key.split('.');
  const given: FormatValues<Element> = {};
  for (const [value, content] of Object.entries(values)) {
    // A `select` looks its choice up in an object, which also inherits properties such as `constructor`.
    given[value] = typeof content === 'string' && content in Object.prototype ? 'other' : content;
    // scripts/catalogue.ts compiles `{name}` to an empty tag with this name, so that the content can be an element.
    given[`{${value}}`] = () => (typeof content === 'number' ? `${content}` : content);
  }
  return icuFormat(areas[area]?.[name] ?? key, currentLocale, given, { formatters });
}

/** Texts by name, for tables that are constants. Each text is read when it is shown. */
export function texts<Name extends string>(keys: Record<Name, PlainKey>): Readonly<Record<Name, string>> {
  const read = Object.entries<PlainKey>(keys).map(([name, key]) => [
    name,
    { get: () => t(key), enumerable: true },
  ]);
  return Object.defineProperties({}, Object.fromEntries(read)) as Readonly<Record<Name, string>>;
}

/**
 * What happened and what to do next, for an error of the service or of its client. Null in English, because the errors
 * themselves contain the English texts.
 *
 * @param reason if the language has a text for this reason, it replaces the next step of the code
 */
export function problemText(code: string, reason = ''): { title: string; nextStep: string } | null {
  const problems = areas.problems ?? {};
  const title = problems[`${code}_title`];
  const nextStep = problems[`${code}_next_${reason}`] ?? problems[`${code}_next`];
  return typeof title === 'string' && typeof nextStep === 'string' ? { title, nextStep } : null;
}

/** The text of a message in the language of the page: `t('users.disableTitle', { name })`. */
export const t = <K extends Key>(key: K, ...[values]: TextArguments<K>): string => `${format(key, values)}`;
