import { describe, expect, test } from 'vitest';
import { composeOnce, join, raw, sql } from '../../src/db/sql.ts';

const signup = { id: '1', event: 'account.signup' };
const login = { id: '2', event: 'passkey.login' };
const insert = (entry: { id: string; event: string }) =>
  sql`insert into log values (${entry.id})`.withAuditEvent(entry);

describe('the audit events of a statement', () => {
  test('are stored beside its text and values, which do not change', () => {
    const statement = insert(signup);
    expect(statement.auditEvents).toEqual([signup]);
    expect([statement.text, statement.values]).toEqual(['insert into log values ($1)', ['1']]);
  });

  test('are added to a copy of the statement', () => {
    const statement = sql`select ${1}`;
    expect(statement.withAuditEvent(signup).withAuditEvent(login).auditEvents).toEqual([signup, login]);
    expect(statement.auditEvents).toEqual([]);
  });

  test('include the events of nested parts, in order', () => {
    const part = sql`entry as (${insert(signup)})`;
    const statement = sql`with known as (select ${0}), ${part}, other as (${insert(login)}) select ${9}`;
    expect(statement.auditEvents).toEqual([signup, login]);
    expect(statement.text).toBe(
      'with known as (select $1), entry as (insert into log values ($2)), other as (insert into log values ($3)) select $4',
    );
    expect(statement.values).toEqual([0, '1', '2', 9]);
  });

  test('include the events of joined parts', () => {
    const statement = sql`with ${join([sql`a as (${insert(login)})`, sql`b as (${insert(signup)})`], ', ')}`;
    expect(statement.auditEvents).toEqual([login, signup]);
    expect(statement.text).toBe(
      'with a as (insert into log values ($1)), b as (insert into log values ($2))',
    );
  });

  test('are empty for a read', () => {
    expect(sql`select ${raw('now()')}, ${join([1, 2])}`).toMatchObject({
      text: 'select now(), $1,$2',
      values: [1, 2],
      auditEvents: [],
    });
  });
});

describe('a prepared read', () => {
  let composed = 0;
  const isYoung = (age: number) => sql`age < ${age}`;
  const find = composeOnce((name: string, age: number) => {
    composed += 1;
    return sql`select ${1}::int from people where name = ${name} and ${isYoung(age)} or nickname = ${name}`;
  });

  test('is composed once, with each value in the right place', () => {
    expect([find('ada', 7), find('bob', 8)]).toMatchObject([
      {
        text: 'select $1::int from people where name = $2 and age < $3 or nickname = $4',
        values: [1, 'ada', 7, 'ada'],
      },
      { values: [1, 'bob', 8, 'bob'] },
    ]);
    expect(composed).toBe(1);
  });

  test('can be part of another statement', () => {
    expect(sql`with found as (${find('ada', 7)}) select ${2}`).toMatchObject({
      text: 'with found as (select $1::int from people where name = $2 and age < $3 or nickname = $4) select $5',
      values: [1, 'ada', 7, 'ada', 2],
    });
  });
});

describe('the ids that a statement invalidates', () => {
  const end = (id: string | null) => sql`delete from sessions where id = ${id}`.invalidating(id);

  test('are stored beside its text and values, which do not change', () => {
    const statement = end('1');
    expect(statement.invalidates).toEqual(['1']);
    expect([statement.text, statement.values]).toEqual(['delete from sessions where id = $1', ['1']]);
  });

  test('do not contain a null id', () => {
    expect(end(null).invalidates).toEqual([]);
  });

  test('include the ids of nested parts, in order', () => {
    const part = sql`other as (${end('2')})`;
    expect(sql`with one as (${end('1')}), ${part} select ${3}`.invalidates).toEqual(['1', '2']);
    expect(sql`with ${join([end('2'), end('1')])}`.invalidates).toEqual(['2', '1']);
  });

  test('can be combined with audit events in either order', () => {
    for (const statement of [end('1').withAuditEvent(signup), insert(signup).invalidating('1')])
      expect([statement.invalidates, statement.auditEvents]).toEqual([['1'], [signup]]);
  });
});

test('joining an empty list throws', () => {
  expect(() => join([])).toThrow(TypeError);
});
