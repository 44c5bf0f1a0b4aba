import { isArgumentElement, isLiteralElement, parse } from '@formatjs/icu-messageformat-parser';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Areas, format, type Key, setMessages } from '../../examples/server/web/messages/text.ts';
import { areasOf, compile, readArea } from '../../scripts/catalogue.ts';
import { showEnglish } from '../support/english-messages.ts';
import { anyText, forAll } from './support/for-all.ts';

const languages: [language: string, locale: string][] = [
  ['en', 'en-GB'],
  ['de', 'de-DE'],
];
afterAll(showEnglish);

type Part = { text: string } | { argument: string };

/** All messages of a language, compiled as the build compiles them. */
const compiledAreas = (language: string): Areas =>
  Object.fromEntries(
    areasOf(language).map((area) => [
      area,
      Object.fromEntries(
        Object.entries(readArea(language, area)).map(([name, message]) => [name, compile(message)]),
      ),
    ]),
  );

/** The messages that consist only of texts and of values without a format. */
const simpleMessagesOf = (language: string): { key: Key; parts: Part[] }[] =>
  areasOf(language).flatMap((area) =>
    Object.entries(readArea(language, area)).flatMap(([name, message]) => {
      const elements = parse(message);
      const parts = elements.flatMap((element): Part[] => {
        if (isLiteralElement(element)) return [{ text: element.value }];
        return isArgumentElement(element) ? [{ argument: element.value }] : [];
      });
      const isSimple = parts.length === elements.length && parts.some((part) => 'argument' in part);
      return isSimple ? [{ key: `${area}.${name}` as Key, parts }] : [];
    }),
  );

test.each(languages)('a message in the language %s contains its values unchanged', (language, locale) => {
  const messages = simpleMessagesOf(language);
  expect(messages.length).toBeGreaterThan(50);
  setMessages(compiledAreas(language), locale);
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
});
