import { afterAll, expect, test } from 'vitest';
import { type Areas, format, type Key, setMessages, t } from '../../examples/server/web/messages/text.ts';
import { compile } from '../../scripts/catalogue.ts';
import { differences, faultsOf } from '../../scripts/message-types.ts';
import { showEnglish } from '../support/english-messages.ts';

const show = (message: string, values?: object): string => {
  const areas: Areas = { test: { message: compile(message) } };
  setMessages(areas, 'de');
  return (t as (key: string, values?: object) => string)('test.message', values);
};

afterAll(showEnglish);

test('messages can contain texts, numbers, choices and plural forms of the language', () => {
  expect(show('Anmelden')).toBe('Anmelden');
  expect(show("Das ist '{'kein Wert'}'")).toBe('Das ist {kein Wert}');
  expect(show('{name} hat {n, number} Punkte', { name: 'ben', n: 1234.5 })).toBe('ben hat 1.234,5 Punkte');
  expect(show('{n} von {n}', { n: 0 })).toBe('0 von 0');
  const keys = '{n, plural, =0 {keine} one {# Passkey von {name}} other {# Passkeys von {name}}}';
  expect([0, 1, 2000].map((n) => show(keys, { n, name: 'ben' }))).toEqual([
    'keine',
    '1 Passkey von ben',
    '2.000 Passkeys von ben',
  ]);
  const role =
    '{role, select, admin {Admin {role}} other {{n, plural, one {# Mitglied} other {# Mitglieder}}}}';
  expect(show(role, { role: 'admin', n: 1 })).toBe('Admin admin');
  expect(show(role, { role: 'constructor', n: 1 })).toBe('1 Mitglied');
});

test('values and tags of messages can be elements', () => {
  setMessages({ test: { message: compile('{name} öffnet <link>die Seite von {name}</link>.') } }, 'de');
  const name = { element: 'ben' };
  const link = (children: unknown) => ({ children });
  const parts = format('test.message' as Key, { name, link });
  expect(parts).toEqual([name, ' öffnet ', { children: ['die Seite von ', name] }, '.']);
});

test('the German messages have the same values and plural forms as the English ones', () => {
  expect(faultsOf().filter((fault) => !/ is not used/.test(fault))).toEqual([]);
});

test.each([
  [{ a: 'A' }, {}, 'a is missing'],
  [{}, { a: 'A' }, 'a is missing in English'],
  [{ a: '{name}' }, { a: '{nam}' }, 'a takes these values: nam: text. In English: name: text'],
  [{ a: '<b>A</b>' }, { a: 'A' }, 'a takes these values: none. In English: b: tag'],
  [
    { a: '{n, plural, one {#} other {#}}' },
    { a: '{n, plural, other {#}}' },
    'a: {n} has no plural form "one"',
  ],
  [{ a: '{at, date}' }, { a: '{at, date}' }, 'a: {at} is a date: format it with dates.ts'],
  [{ a: 'A' }, { a: '{' }, 'a: EXPECT_ARGUMENT_CLOSING_BRACE'],
  [{ some_name: 'A' }, { some_name: 'A' }, 'some_name: write the name in camelCase'],
])('the check of messages %j and %j finds: %s', (english, own, fault) => {
  expect(differences(english as Record<string, string>, own as Record<string, string>, 'de')).toEqual([
    fault,
  ]);
});
