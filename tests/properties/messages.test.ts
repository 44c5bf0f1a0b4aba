import { readdirSync, readFileSync } from 'node:fs';
import { isArgumentElement, isLiteralElement, parse } from '@formatjs/icu-messageformat-parser';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import consoleDe from '../../examples/server/web/messages/console-de.ts';
import consoleEn from '../../examples/server/web/messages/console-en.ts';
import linkDe from '../../examples/server/web/messages/link-de.ts';
import linkEn from '../../examples/server/web/messages/link-en.ts';
import { type Areas, format, type Key, setMessages } from '../../examples/server/web/messages/text.ts';
import visitorDe from '../../examples/server/web/messages/visitor-de.ts';
import visitorEn from '../../examples/server/web/messages/visitor-en.ts';
import { showEnglish } from '../support/english-messages.ts';
import { anyText, forAll } from './support/for-all.ts';

const folder = 'examples/server/web/messages';
const languages: [language: string, locale: string, areas: Areas][] = [
  ['en', 'en-GB', { ...visitorEn, ...linkEn, ...consoleEn }],
  ['de', 'de-DE', { ...visitorDe, ...linkDe, ...consoleDe }],
];
afterAll(showEnglish);

type Part = { text: string } | { argument: string };

/** The messages that consist only of texts and of values without a format. */
function simpleMessagesOf(language: string): { key: Key; parts: Part[] }[] {
  return readdirSync(`${folder}/${language}`).flatMap((file) => {
    const messages: Record<string, string> = JSON.parse(
      readFileSync(`${folder}/${language}/${file}`, 'utf8'),
    );
    return Object.entries(messages).flatMap(([name, message]) => {
      const parts = parse(message).flatMap((element): Part[] =>
        isLiteralElement(element)
          ? [{ text: element.value }]
          : isArgumentElement(element)
            ? [{ argument: element.value }]
            : [],
      );
      const isSimple = parts.length === parse(message).length && parts.some((part) => 'argument' in part);
      return isSimple ? [{ key: `${file.replace('.json', '')}.${name}` as Key, parts }] : [];
    });
  });
}

test.each(languages)(
  'a message in the language %s contains its values unchanged',
  (language, locale, areas) => {
    const messages = simpleMessagesOf(language);
    expect(messages.length).toBeGreaterThan(50);
    setMessages(areas, locale);
    const value = fc.oneof(
      anyText(20),
      fc.constantFrom('constructor', '__proto__', '{name}', '<b>{0}</b>', "'{'"),
    );
    forAll(
      [fc.constantFrom(...messages), fc.array(value, { minLength: 5, maxLength: 5 })],
      (message, given) => {
        const names = [
          ...new Set(message.parts.flatMap((part) => ('argument' in part ? [part.argument] : []))),
        ];
        const values = Object.fromEntries(names.map((name, at) => [name, given[at % given.length] ?? '']));
        const expected = message.parts
          .map((part) => ('text' in part ? part.text : values[part.argument]))
          .join('');
        expect([message.key, [format(message.key, values)].flat().join('')]).toEqual([message.key, expected]);
      },
      2000,
    );
  },
);
