import { AuthError } from 'latchkey';
import { command, type Flags, type Input } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, remark } from '../output.ts';
import { type OpenService, withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { printable } from '../words/printable.ts';

interface Superadmin {
  username: string;
  password?: string | undefined;
}

const flags = {
  username: {
    type: 'string',
    value: 'name',
    about: 'Username (default: BOOTSTRAP_ADMIN_USERNAME)',
  },
  passkey: { type: 'boolean', about: 'Set no password; print a link for adding a passkey' },
  again: {
    type: 'boolean',
    about: 'Create a superadmin if all superadmins are disabled or deleted',
  },
} as const satisfies Flags;

type BootstrapInput = Input<typeof flags>;

/**
 * Creates a superadmin. The password comes from the environment or from a masked prompt. The password never comes from
 * the arguments, because every user of the machine can read the arguments.
 */
const bootstrap = command({
  flags,
  note: 'The password comes from BOOTSTRAP_ADMIN_PASSWORD, or from a prompt.',
  run: (input) =>
    withService(async (service) => {
      const reusable = await findUnfinished(service, input.flags.again);
      const known = readAnswers(input);
      if (isComplete(input, known)) return create(service, input, known);
      if (!input.interactive) throw new UsageError(`Missing: ${missingAnswers(input, known)}.`);
      return askAndCreate(service, input, known, reusable);
    }),
});

/**
 * Returns the username of the first superadmin if the bootstrap is unfinished. A bootstrap is unfinished while the
 * first superadmin has no passkey and no password. The operator can enter this username again. Runs before the first
 * prompt. If --again is given, the service decides later whether a superadmin can be created.
 *
 * @throws AuthError `already_bootstrapped` if the bootstrap is complete, unless --again is given
 */
async function findUnfinished({ operator }: OpenService, again: boolean): Promise<string | undefined> {
  const { bootstrap: state, unfinishedSuperadmin } = await operator.overview();
  if (state === 'done' && !again) throw new AuthError('already_bootstrapped');
  return unfinishedSuperadmin ?? undefined;
}

/** The answers from the arguments and the environment. */
const readAnswers = ({ flags }: BootstrapInput): Partial<Superadmin> => ({
  username: flags.username ?? (process.env.BOOTSTRAP_ADMIN_USERNAME || undefined),
  password: flags.passkey ? undefined : process.env.BOOTSTRAP_ADMIN_PASSWORD || undefined,
});

const isComplete = ({ flags }: BootstrapInput, known: Partial<Superadmin>): known is Superadmin =>
  known.username !== undefined && (flags.passkey || known.password !== undefined);

const missingAnswers = ({ flags }: BootstrapInput, { username, password }: Partial<Superadmin>): string =>
  [
    ...(username === undefined ? ['a username (--username or BOOTSTRAP_ADMIN_USERNAME)'] : []),
    ...(password === undefined && !flags.passkey
      ? ['a sign-in method (BOOTSTRAP_ADMIN_PASSWORD or --passkey)']
      : []),
  ].join(' and ');

/** Asks until the service has created the superadmin or the operator cancels. */
async function askAndCreate(
  service: OpenService,
  input: BootstrapInput,
  known: Partial<Superadmin>,
  reusable: string | undefined,
): Promise<number> {
  const { promptBootstrap } = await import('../bootstrap-prompts.tsx');
  const { auth } = service;
  const context = {
    checkUsername: (name: string) => auth.users.checkAvailability(name),
    passwordMinLength: auth.config.passwordMinLength,
  };
  const passkey = input.flags.passkey || known.password !== undefined;
  let asked: Parameters<typeof promptBootstrap>[1] = {
    ...(known.username && { username: known.username }),
    ...(reusable && { reusable }),
    passkey,
  };
  while (true) {
    const answers = await promptBootstrap(context, asked);
    if (answers === null) {
      remark('Canceled. No superadmin was created.');
      return exitCodes.stopped;
    }
    try {
      return await create(service, input, { ...answers, password: answers.password ?? known.password });
    } catch (error) {
      if (!(error instanceof AuthError) || !correctable.has(error.code)) throw error;
      asked = { ...asked, username: answers.username, rejection: error.message };
    }
  }
}

/** Errors that the operator can correct with another answer. */
const correctable = new Set<string>(['password_unacceptable', 'username_unacceptable', 'username_taken']);

const create = (service: OpenService, input: BootstrapInput, superadmin: Superadmin): Promise<number> =>
  input.flags.passkey
    ? createWithPasskey(service, input, superadmin.username)
    : createWithPassword(service, input, superadmin);

async function createWithPassword(
  { operator, auth }: OpenService,
  { flags: { again }, json }: BootstrapInput,
  { username, password }: Superadmin,
): Promise<number> {
  const { user } = await operator.bootstrap({ username, password, again });
  const origin = auth.config.origins[0];
  if (json) printJson({ user, link: null });
  else {
    print(`${printable(user.username)} is a superadmin.`, '');
    print(
      'Next:',
      `  1. Sign in at ${origin}/signin/password`,
      `  2. Add a passkey at ${origin}/settings/security,`,
      '     then remove the password',
      '  3. Create recovery codes there and keep them offline',
      '  4. Make another user a superadmin, in case you lose access:',
      '     latchkey users change-role <username> superadmin',
      '  5. If BOOTSTRAP_ADMIN_PASSWORD is set, remove it from the environment and .env',
    );
  }
  return exitCodes.done;
}

async function createWithPasskey(
  { operator, auth }: OpenService,
  { flags: { again }, json, interactive }: BootstrapInput,
  username: string,
): Promise<number> {
  const { user, link } = await operator.bootstrap({ username, again });
  if (link === null) return exitCodes.stopped;
  if (json) {
    printJson({ user, link });
    return exitCodes.done;
  }
  if (!interactive) {
    print(link.url);
    remark('', `${printable(user.username)} can open this link within an hour to add a passkey.`);
    return exitCodes.done;
  }
  const { showLinkAndWait } = await import('../bootstrap-prompts.tsx');
  const outcome = await showLinkAndWait({
    ...link,
    username: user.username,
    isDone: async () => (await operator.users.get(user.username)).user.passkeyCount > 0,
  });
  if (outcome !== 'done') {
    remark('', 'No passkey was added yet. For a new link, run `latchkey bootstrap --passkey` again.');
    return exitCodes.stopped;
  }
  const origin = auth.config.origins[0];
  print(
    '',
    'Next:',
    `  1. Create recovery codes at ${origin}/settings/security and keep them offline`,
    '  2. Add a second passkey there',
    '  3. Make another user a superadmin: latchkey users change-role <username> superadmin',
  );
  return exitCodes.done;
}

export const commands = { '': bootstrap };
