import { createTestAuthService, type SoftwareAuthenticator } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { capabilities, createApp } from './app.ts';

type StepUpStart = { options: Parameters<SoftwareAuthenticator['get']>[0] };

const start = () => createTestAuthService({ capabilities, app: createApp });

let kit: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  kit = await start();
});
afterEach(() => kit.close());

test('every route requires a session', async () => {
  const visitor = kit.visitor();
  expect((await visitor.get('/figures')).status).toBe(401);
  expect((await visitor.get('/reports/any')).status).toBe(401);
  expect((await visitor.post('/reports/any/publish')).status).toBe(401);
});

test('only admins and superadmins read the figures', async () => {
  const [user, admin] = [await kit.signedInAs('user'), await kit.signedInAs('admin')];
  const ada = await kit.signedInAs('superadmin', { username: 'ada' });
  expect((await user.get('/figures')).status).toBe(403);
  expect((await admin.get('/figures')).status).toBe(200);
  expect(await ada.get('/figures')).toMatchObject({ status: 200, body: { readBy: 'ada' } });
});

test('members read the report, organization admins publish it, all others get 404', async () => {
  const engines = await kit.organization('Analytical Engines');
  const member = await kit.signedInAs('user', { memberOf: [engines] });
  const manager = await kit.signedInAs('user', { adminOf: [engines] });
  const stranger = await kit.signedInAs('admin', { adminOf: [await kit.organization()] });
  const report = `/reports/${engines.id}`;
  expect((await member.get(report)).body).toEqual({ report: 'All is well.' });
  expect((await member.post(`${report}/publish`)).status).toBe(403);
  expect((await manager.post(`${report}/publish`)).status).toBe(204);
  expect((await stranger.get(report)).status).toBe(404);
});

test('publishing requires fresh authentication', async () => {
  const engines = await kit.organization();
  const ada = await kit.signedInAs('user', { adminOf: [engines] });
  const publish = () => ada.post(`/reports/${engines.id}/publish`);
  kit.clock.advance({ minutes: 11 });
  expect((await publish()).status).toBe(403);
  await ada.stepUp();
  expect((await publish()).status).toBe(204);
});

test('a user steps up with the requests that a browser sends', async () => {
  const ada = await kit.signedInAs('admin');
  kit.clock.advance({ minutes: 11 });
  const { body } = await ada.post<StepUpStart>('/auth/passkey/stepup/start');
  const credential = await ada.authenticator.get(body.options);
  expect((await ada.post('/auth/passkey/stepup/verify', { credential })).status).toBe(200);
  expect((await ada.post('/auth/organizations', { name: 'Looms' })).status).toBe(201);
});

test('a session expires after a week without use, and signing in starts a new one', async () => {
  const ada = await kit.signedInAs('admin');
  kit.clock.advance({ days: 7 });
  expect((await ada.get('/figures')).status).toBe(401);
  await ada.signIn();
  expect((await ada.get('/figures')).status).toBe(200);
  await ada.signOut();
  expect((await ada.get('/figures')).status).toBe(401);
});
