import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { chapters } from '../../src/api/openapi/chapters.ts';
import { sourcePaths } from './support/source-paths.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** An exported function of an operations file that works with the service: its first parameter is the runtime. */
interface Operation {
  name: string;
  /** The type of its second parameter: who acts. */
  by: string;
}

const isOperation = (path: string) => /^src\/(?:[^/]+\/){1,2}operations(\.ts$|\/)/.test(path);

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function operationsIn(path: string): Operation[] {
  const file = ts.createSourceFile(
    path,
    readFileSync(`${root}/${path}`, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const functions = file.statements.filter(isExported).flatMap((node) => {
    if (ts.isFunctionDeclaration(node)) return [{ name: node.name?.text ?? '', parameters: node.parameters }];
    if (!ts.isVariableStatement(node)) return [];
    return node.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer && ts.isArrowFunction(initializer)
        ? [{ name: name.getText(), parameters: initializer.parameters }]
        : [],
    );
  });
  return functions
    .map(({ name, parameters }) => ({ name, types: parameters.map(({ type }) => type?.getText() ?? '') }))
    .filter(({ types: [first] }) => first === 'Runtime' || /^\{.*\}: Runtime$/.test(first ?? ''))
    .map(({ name, types: [, by = ''] }) => ({ name, by }));
}

const operations = sourcePaths(root, ['src']).filter(isOperation).flatMap(operationsIn);

/** Operations that act for no user, or decide about the actor themselves, and why. */
const withoutProof: Record<string, string> = {
  // For everyone.
  checkUsernameAvailability: 'usernames are public before sign-up',
  previewInvitation: 'the token of the invitation is the proof',
  previewOrganizationInvitation: 'the token of the link is the proof',
  readSession: 'the token of the session is the proof',
  checkSession: 'the token of the session is the proof',
  // Parts of other operations, which have checked the actor.
  findUserNamed: 'for operators, who name users by username',
  findOrganizationWithSlug: 'for operators, who name organizations by slug',
  findOrganizationFor: 'reads what `authorize` decides by',
  readMembership: 'reads what the guards decide by',
  readPrincipal: 'reads what `auth.can` decides by',
  readObstacleToHelp: 'decides whether one user may help another',
  readGuardedUser: 'reads what the operations on users decide by',
  readAccount: 'of the signed-in user, or for an operator',
  listSessionsOf: 'for operators',
  hashNewPassword: 'changes nothing',
  readBootstrapState: 'for operators',
  // Decide themselves.
  listOrganizations: 'lists the organizations of the actor; every one if the capability table says so',
  refuse: 'records a refusal',
  refuseUnentitled: 'records a refusal',
  refuseForLastSuperadmin: 'records a refusal',
  bootstrap: 'takes an operator',
  planBootstrap: 'takes an operator',
};

describe('every operation', () => {
  const isProof = ({ by }: Operation) => /^(Entitled(In)?<|AuditReader$)/.test(by);
  /** Acts on the caller's own account, or before anyone is signed in. */
  const isOwn = ({ by }: Operation) => /^(SignedInActor|Actor|\{.*\}: SignedInActor)$/.test(by);

  test('takes the proof of a capability, acts for the caller alone, or is a known exception', () => {
    expect(operations.length).toBeGreaterThan(60);
    const others = operations.filter((operation) => !isProof(operation) && !isOwn(operation));
    expect(others.map(({ name }) => name).filter((name) => !(name in withoutProof))).toEqual([]);
  });

  test('that is a known exception exists', () => {
    const names = new Set(operations.map(({ name }) => name));
    expect(Object.keys(withoutProof).filter((name) => !names.has(name))).toEqual([]);
  });

  test('that an endpoint with a capability calls takes its proof', () => {
    const endpoints = chapters.flatMap(({ endpoints }) => Object.values(endpoints));
    const required = new Set(endpoints.flatMap(({ requires }) => requires ?? []));
    const proven = new Set(
      operations.filter(isProof).flatMap(({ by }) => [...by.matchAll(/'([\w:]+)'/g)].map(([, name]) => name)),
    );
    // The organization that `authorize` returns is the whole answer; listing events has a proof type of its own.
    const elsewhere = new Set(['organization:read', 'audit:read']);
    expect([...required].filter((name) => !proven.has(name) && !elsewhere.has(name))).toEqual([]);
  });
});
