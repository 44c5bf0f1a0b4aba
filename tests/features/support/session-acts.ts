import type { Role } from 'latchkey';
import type { Sql } from 'postgres';
import type { TestAgent } from '../../support/agent.ts';
import { addPasskey, logIn, type Person, signUp, stepUp, userIdOf } from '../../support/person.ts';
import type { ServiceOn } from '../../support/service-on.ts';
import * as authority from './authority.ts';
import { fillSessions } from './full-account.ts';
import * as passwords from './passwords.ts';
import * as recovery from './recovery.ts';

/** The service and database of a test. */
export interface Scene {
  service: ServiceOn;
  sql: Sql;
}

export interface PreparedAct {
  /** A browser with the session that the test caches. */
  remembered: TestAgent;
  /** Whether `remembered` has a recovery session. No process caches recovery sessions. */
  isRecovery?: true;
  act(): Promise<unknown>;
  /**
   * The properties that a check returns for the session or its user after the action. Missing if the session
   * ends.
   */
  leaves?: Record<string, string>;
  /** The status of a rejected check. Default: 401. */
  refusal?: 403;
}

const ops = ({ service }: Scene) => service.auth.asOperator('ops');

async function signUpAs(scene: Scene, role: Role): Promise<Person> {
  const person = await signUp(scene.service);
  await ops(scene).users.changeRole(person.username, role);
  return person;
}

async function logInElsewhere({ service }: Scene, { authenticator }: Person) {
  const browser = service.browser();
  const { body } = await logIn(browser, authenticator);
  return { browser, id: body.session.id as string };
}

const succeed = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`the service returned ${status} ${JSON.stringify(body)}`);
};

/** An action of a new user that ends or replaces the user's own session. */
const alone =
  (act: (person: Person, scene: Scene) => Promise<{ status: number; body: unknown }>) =>
  async (scene: Scene): Promise<PreparedAct> => {
    const person = await signUp(scene.service);
    return { remembered: person.browser.copy(), act: () => succeed(act(person, scene)) };
  };

/** Like `alone`, for a user who also has a password. */
const withPassword =
  (act: (person: Person) => Promise<{ status: number; body: unknown }>) =>
  async (scene: Scene): Promise<PreparedAct> => {
    const person = await passwords.signUpWithPassword(scene.service);
    return { remembered: person.browser.copy(), act: () => succeed(act(person)) };
  };

/** An action of a superadmin on a user. */
const bySuperadmin =
  (
    act: (superadmin: TestAgent, person: Person) => Promise<{ status: number; body: unknown }>,
    leaves?: PreparedAct['leaves'],
  ) =>
  async (scene: Scene): Promise<PreparedAct> => {
    const [superadmin, person] = [await signUpAs(scene, 'superadmin'), await signUp(scene.service)];
    const prepared = { remembered: person.browser, act: () => succeed(act(superadmin.browser, person)) };
    return leaves ? { ...prepared, leaves } : prepared;
  };

/** An action of an operator on a user. */
const byOperator =
  (
    act: (users: ReturnType<typeof ops>['users'], username: string) => Promise<unknown>,
    leaves?: PreparedAct['leaves'],
  ) =>
  async (scene: Scene): Promise<PreparedAct> => {
    const { browser, username } = await signUp(scene.service);
    const prepared = { remembered: browser, act: () => act(ops(scene).users, username) };
    return leaves ? { ...prepared, leaves } : prepared;
  };

/** An action in one session of a user that affects another session of the same user. */
const inAnotherSession =
  (act: (person: Person) => Promise<{ status: number; body: unknown }>) =>
  async (scene: Scene): Promise<PreparedAct> => {
    const person = await signUp(scene.service);
    const { browser } = await logInElsewhere(scene, person);
    return { remembered: browser, act: () => succeed(act(person)) };
  };

/** Like `alone`, but the session continues. */
const continuing =
  (act: (person: Person) => Promise<{ status: number; body: unknown }>) =>
  async (scene: Scene): Promise<PreparedAct> => {
    const person = await signUp(scene.service);
    const leaves = { username: person.username };
    return { remembered: person.browser.copy(), act: () => succeed(act(person)), leaves };
  };

/** An action that ends a recovery session, opened with a recovery link. */
const assisted =
  (act: (scene: Scene, person: Person) => Promise<unknown>) =>
  async (scene: Scene): Promise<PreparedAct> => {
    const person = await signUp(scene.service);
    const { token } = await recovery.createLink(scene.service, person);
    const remembered = await recovery.enterByLink(scene.service, token);
    return { remembered, isRecovery: true, act: () => act(scene, person) };
  };

/** All actions of the service that end or change a session, or change its user. */
export const acts: Record<string, (scene: Scene) => Promise<PreparedAct>> = {
  'signing out': alone(({ browser }) => browser.delete('/auth/session')),
  'ending the current session by its id': alone(({ browser, signedUp }) =>
    browser.delete(`/auth/sessions/${signedUp.body.session.id}`),
  ),
  'ending the session from another session': async (scene) => {
    const person = await signUp(scene.service);
    const { browser, id } = await logInElsewhere(scene, person);
    return { remembered: browser, act: () => succeed(person.browser.delete(`/auth/sessions/${id}`)) };
  },
  'ending all other sessions from another session': async (scene) => {
    const person = await signUp(scene.service);
    const { browser } = await logInElsewhere(scene, person);
    return { remembered: browser, act: () => succeed(person.browser.delete('/auth/sessions')) };
  },
  'a step-up': alone(({ browser, authenticator }) => stepUp(browser, authenticator)),
  'a step-up with the password': async ({ service }) => {
    const { browser } = await passwords.signUpWithOnlyPassword(service);
    return { remembered: browser.copy(), act: () => succeed(passwords.stepUpByPassword(browser)) };
  },
  'a sign-in in the same browser': alone(({ browser, authenticator }) => logIn(browser, authenticator)),
  'a sign-in with the password in the same browser': withPassword((person) =>
    passwords.logInByPassword(person.browser, person),
  ),
  'a sign-in, if the account has 100 sessions and the session is the least recently used one': async (
    scene,
  ) => {
    const person = await signUp(scene.service);
    await fillSessions(scene.sql, userIdOf(person));
    return { remembered: person.browser, act: () => logInElsewhere(scene, person) };
  },
  'a sign-up in the same browser': alone(
    async ({ browser }, { service }) => (await signUp(service, { browser })).signedUp,
  ),
  'using a recovery code in the same browser': async ({ service }) => {
    const { person, codes } = await recovery.signUpWithCodes(service);
    return {
      remembered: person.browser.copy(),
      act: () => succeed(recovery.useCode(person.browser, person, codes[0])),
    };
  },
  'using a recovery link in the same browser': alone(async (person, { service }) =>
    recovery.useLink(person.browser, (await recovery.createLink(service, person)).token),
  ),
  'completing a recovery in another session': async ({ service }) => {
    const { person, browser } = await recovery.startRecovering(service);
    return { remembered: person.browser, act: () => succeed(recovery.completeRecovery(browser)) };
  },
  'completing a recovery in the same session': async ({ service }) => {
    const { browser } = await recovery.startRecovering(service);
    return {
      remembered: browser.copy(),
      isRecovery: true,
      act: () => succeed(recovery.completeRecovery(browser)),
    };
  },
  'completing a recovery in another recovery session': async ({ service }) => {
    const { person, codes, browser } = await recovery.startRecovering(service);
    const remembered = await recovery.enterByCode(service, person, codes[1]);
    return { remembered, isRecovery: true, act: () => succeed(recovery.completeRecovery(browser)) };
  },
  'canceling the recovery link that opened the session': assisted((_, person) =>
    succeed(recovery.cancelLink(person.browser)),
  ),
  'an operator cancels the recovery link that opened the session': assisted((scene, { username }) =>
    ops(scene).users.cancelRecoveryLink(username),
  ),
  'replacing the recovery link that opened the session': assisted(({ service }, person) =>
    recovery.createLink(service, person),
  ),
  'adding a passkey in a full session (checks of a recovery session)': assisted((_, { browser }) =>
    succeed(addPasskey(browser)),
  ),
  'an operator changes the role (checks of a recovery session)': assisted((scene, { username }) =>
    ops(scene).users.changeRole(username, 'admin'),
  ),
  'demoting the creator of the recovery link that opened the session': async (scene) => {
    const [creator, person] = [await signUpAs(scene, 'superadmin'), await signUp(scene.service)];
    const { token } = (await authority.help(creator.browser, person)).body;
    await signUpAs(scene, 'superadmin');
    const remembered = await recovery.enterByLink(scene.service, token);
    const act = () => ops(scene).users.changeRole(creator.username, 'admin');
    return { remembered, isRecovery: true, act };
  },
  'setting a password in another session': inAnotherSession(({ browser }) => passwords.addPassword(browser)),
  'replacing a password in another session': inAnotherSession(async ({ browser }) => {
    await passwords.addPassword(browser);
    return passwords.addPassword(browser, passwords.otherPassword);
  }),
  'removing a password in another session': async (scene) => {
    const person = await passwords.signUpWithPassword(scene.service);
    const { browser } = await logInElsewhere(scene, person);
    return { remembered: browser, act: () => succeed(passwords.removePassword(person.browser)) };
  },
  'removing a passkey in another session': async (scene) => {
    const person = await signUp(scene.service);
    const { body } = await addPasskey(person.browser);
    const { browser } = await logInElsewhere(scene, person);
    return {
      remembered: browser,
      act: () => succeed(person.browser.delete(`/auth/passkey/devices/${body.device.id}`)),
    };
  },
  'setting a password in the same session': continuing(({ browser }) => passwords.addPassword(browser)),
  'the user deletes the account': alone(({ browser }) => authority.deleteAccount(browser)),
  'a superadmin changes the role': bySuperadmin(
    (superadmin, person) => authority.changeRole(superadmin, person, 'admin'),
    {
      role: 'admin',
    },
  ),
  'the user changes their own role': async (scene) => {
    await signUpAs(scene, 'superadmin');
    const { browser, ...person } = await signUpAs(scene, 'superadmin');
    return {
      remembered: browser.copy(),
      act: () => succeed(authority.changeRole(browser, person, 'user')),
    };
  },
  'accepting an invitation': async (scene) => {
    const { browser } = await signUp(scene.service);
    const { token } = await ops(scene).invitations.create();
    return { remembered: browser.copy(), act: () => succeed(authority.accept(browser, token)) };
  },
  'accepting an invitation in another session': async (scene) => {
    const person = await signUp(scene.service);
    const { browser } = await logInElsewhere(scene, person);
    const { token } = await ops(scene).invitations.create();
    return {
      remembered: browser,
      act: () => succeed(authority.accept(person.browser, token)),
      leaves: { role: 'admin' },
    };
  },
  'a superadmin ends all sessions': bySuperadmin(authority.endSessionsOf),
  'a superadmin disables the account': bySuperadmin(authority.disable),
  'a superadmin deletes the account': bySuperadmin(authority.deleteUser),
  'an operator changes the role': byOperator((users, name) => users.changeRole(name, 'admin'), {
    role: 'admin',
  }),
  'an operator ends all sessions': byOperator((users, name) => users.endSessions(name)),
  'an operator disables the account': byOperator((users, name) => users.disable(name)),
  'an operator deletes the account': byOperator((users, name) => users.delete(name)),
  'another bootstrap replaces the superadmin': async (scene) => {
    await scene.sql`delete from latchkey.bootstrap`;
    await scene.sql`delete from latchkey.users`;
    const { link } = await ops(scene).bootstrap({ username: 'first-one' });
    const remembered = scene.service.browser();
    await recovery.useLink(remembered, `${link?.token}`);
    const act = () => ops(scene).bootstrap({ username: 'second-one' });
    return { remembered, isRecovery: true, act };
  },
};

/** Changes to the database that an operator could make with SQL in psql. */
export const typed: Record<string, (scene: Scene) => Promise<PreparedAct>> = {
  'deleting the session': byHand(
    ({ sql }, { signedUp }) => sql`delete from latchkey.sessions where id = ${signedUp.body.session.id}`,
  ),
  'deleting the account': byHand(
    ({ sql }, person) => sql`delete from latchkey.users where id = ${userIdOf(person)}`,
  ),
  'changing the expiry of the session': byHand(
    ({ sql }, { signedUp }) => sql`
      update latchkey.sessions set expires_at = latchkey.clock() where id = ${signedUp.body.session.id}`,
  ),
  'giving the session another token': byHand(
    ({ sql }, { signedUp }) => sql`
      update latchkey.sessions set token_hash = 'another' where id = ${signedUp.body.session.id}`,
  ),
  'moving the session to an earlier epoch': byHand(
    ({ sql }, { signedUp }) => sql`
      update latchkey.sessions set epoch = epoch - 1 where id = ${signedUp.body.session.id}`,
  ),
  'making the session a recovery session': async (scene) => ({
    ...(await byHand(
      ({ sql }, { signedUp }) => sql`
        update latchkey.sessions set kind = 'recovery' where id = ${signedUp.body.session.id}`,
    )(scene)),
    refusal: 403,
  }),
  'changing the authentication method of the session': byHand(
    ({ sql }, { signedUp }) => sql`
      update latchkey.sessions set method = 'password' where id = ${signedUp.body.session.id}`,
    { method: 'password' },
  ),
  'changing the authentication time of the session': byHand(
    ({ sql }, { signedUp }) => sql`
      update latchkey.sessions set authenticated_at = '2020-01-01Z' where id = ${signedUp.body.session.id}`,
    { authenticatedAt: '2020-01-01T00:00:00.000Z' },
  ),
  'changing the username': byHand(
    ({ sql }, person) => sql`
      update latchkey.users set username = 'another-name' where id = ${userIdOf(person)}`,
    { username: 'another-name' },
  ),
  'disabling the account': byHand(
    ({ sql }, person) => sql`update latchkey.users set status = 'disabled' where id = ${userIdOf(person)}`,
  ),
  'increasing the epoch': byHand(
    ({ sql }, person) => sql`
      update latchkey.users set session_epoch = session_epoch + 1 where id = ${userIdOf(person)}`,
  ),
  'changing the role': byHand(
    ({ sql }, person) => sql`update latchkey.users set role = 'admin' where id = ${userIdOf(person)}`,
    { role: 'admin' },
  ),
  'changing the display name': byHand(
    ({ sql }, person) => sql`
      update latchkey.users set display_name = 'Ada' where id = ${userIdOf(person)}`,
    { displayName: 'Ada' },
  ),
};

function byHand(act: (scene: Scene, person: Person) => Promise<unknown>, leaves?: PreparedAct['leaves']) {
  return async (scene: Scene): Promise<PreparedAct> => {
    const person = await signUp(scene.service);
    const prepared = { remembered: person.browser, act: async () => void (await act(scene, person)) };
    return leaves ? { ...prepared, leaves } : prepared;
  };
}
