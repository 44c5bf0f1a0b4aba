import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { chapters } from '../../src/api/openapi/chapters.ts';
import { sourcePaths } from './support/source-paths.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** An exported function of an operations file. Its first parameter is the runtime of a service. */
interface Operation {
  name: string;
  /** The type of the second parameter. This parameter says who acts. */
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

/** Operations that need no proof of a capability, each with the reason. */
const withoutProof: Record<string, string> = {
  // These need no actor.
  checkUsernameAvailability: 'usernames are public before sign-up',
  findUsernameConflict: 'usernames are public before sign-up',
  lockInvitation: 'part of the statement of a sign-up',
  readInvitation: 'the token of the invitation is the proof',
  readInvitationToSignUp: 'the token of the invitation is the proof',
  readOrganizationInvitationToSignUp: 'the token of the invitation is the proof',
  assertUsernameAllowed: 'usernames are public before sign-up',
  previewInvitation: 'the token of the invitation is the proof',
  previewOrganizationInvitation: 'the token of the link is the proof',
  readSession: 'the token of the session is the proof',
  checkSession: 'the token of the session is the proof',
  logOut: 'the token of the session is the proof',
  readOwnOrganizations: 'the session is the proof',
  readPublishedCheckpoint: 'takes the proof of `audit:read`, or null for a public log',
  readPublishedTile: 'takes the proof of `audit:read`, or null for a public log',
  createWitness: 'the signature of the log is the proof',
  // These are parts of other operations, which check the actor first.
  exportInvitations: 'part of the export of a user by an operator',
  exportCreatedOrganizations: 'part of the export of a user by an operator',
  exportedAccount: 'part of the export of a user by an operator',
  readCodesStatusOf: 'reads the codes of the signed-in user, or of a user for an operator',
  findUserNamed: 'for operators, who name users by username',
  findOrganizationWithSlug: 'for operators, who name organizations by slug',
  findOrganizationWithId: 'for operators, who export organizations by id',
  findOrganizationFor: 'reads the data with which `authorize` decides',
  readMembership: 'reads the data with which the guards decide',
  readPrincipal: 'reads the data with which `auth.can` decides',
  readInvitee: 'reads the data with which operators and superadmins add members',
  findWebhook: 'reads the data with which the operations on webhooks decide',
  readObstacleToHelp: 'decides whether one user may help another',
  readGuardedUser: 'reads the data with which the operations on users decide',
  readAccount: 'reads the account of the signed-in user, or reads a user for an operator',
  listSessionsOf: 'reads the sessions of the signed-in user, or of a user for an operator',
  listSessionsOfUser: 'like listSessionsOf',
  labelsOfUser: 'reads the labels of the passkeys of a user whose sessions the caller reads',
  readListDetails: 'reads the columns of users whom `listUsers` returns',
  countListed: 'counts the users of a list for `listUsers`',
  countUsers: 'returns numbers, to the housekeeping and to the overview',
  hashNewPassword: 'changes nothing',
  readBootstrapDetails: 'reads for operators whether a bootstrap is possible',
  countHours: 'housekeeping; returns numbers',
  updateUserFigures: 'housekeeping; stores numbers',
  releaseUsernames: 'housekeeping, as the configuration says',
  releaseErasedUsernames: 'housekeeping, as the configuration says',
  // These check the actor themselves.
  listOrganizations: 'lists the organizations of the actor, or all if the actor can read all',
  refuse: 'records a refusal',
  confirmRefusal: 'changes nothing',
  refuseUnentitled: 'records a refusal',
  refuseForLastSuperadmin: 'records a refusal',
  bootstrap: 'takes an operator',
  planBootstrap: 'takes an operator',
  readTaken: 'takes an operator',
  storeUsers: 'takes an operator',
};

describe('every operation', () => {
  const isProof = ({ by }: Operation) => /^(Entitled(In)?<|AuditReader$)/.test(by);
  /** Whether the operation acts only on the caller's own account, or needs no signed-in caller. */
  const isOwn = ({ by }: Operation) => /^(SignedInActor|Actor|\{.*\}: SignedInActor)$/.test(by);

  test('takes the proof of a capability, acts only for the caller, or is a known exception', () => {
    expect(operations.length).toBeGreaterThan(60);
    const others = operations.filter((operation) => !isProof(operation) && !isOwn(operation));
    expect(others.map(({ name }) => name).filter((name) => !(name in withoutProof))).toEqual([]);
  });

  test('whose name is in `withoutProof` exists', () => {
    const names = new Set(operations.map(({ name }) => name));
    expect(Object.keys(withoutProof).filter((name) => !names.has(name))).toEqual([]);
  });

  test('of an endpoint that requires a capability takes the proof of this capability', () => {
    const endpoints = chapters.flatMap(({ endpoints }) => Object.values(endpoints));
    const required = new Set(endpoints.flatMap(({ requires }) => requires ?? []));
    const proven = new Set(
      operations.filter(isProof).flatMap(({ by }) => [...by.matchAll(/'([\w:]+)'/g)].map(([, name]) => name)),
    );
    // No operation takes the proof of `organization:read`, because `authorize` itself returns the organization. The
    // proof of `audit:read` has its own type, `AuditReader`.
    const elsewhere = new Set(['organization:read', 'audit:read']);
    expect([...required].filter((name) => !proven.has(name) && !elsewhere.has(name))).toEqual([]);
  });
});
