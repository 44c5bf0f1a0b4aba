import { afterAll, expect, test } from 'vitest';
import { type Areas, format, type Key, setMessages, t } from '../../examples/server/web/messages/text.ts';
import { compile } from '../../scripts/catalogue.ts';
import { showEnglish } from '../support/english-messages.ts';

const show = (message: string, values?: object): string => {
  const areas: Areas = { test: { message: compile(message) } };
  setMessages(areas, 'de');
  return (t as (key: string, values?: object) => string)('test.message', values);
};

afterAll(showEnglish);

test('messages contain texts, numbers, choices and plural forms of the language', () => {
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
