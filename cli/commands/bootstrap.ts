import { AuthError } from 'latchkey';
import { type Command, type Given, hasFlag, textFlag } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, remark } from '../output.ts';
import { type ServiceAtHand, withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { printable } from '../words/printable.ts';

interface Superadmin {
  username: string;
  password?: string | undefined;
}

/**
 * Makes the first superadmin. A password comes from the environment or is typed where nobody sees it, never from the
 * arguments, which every user of the machine can read.
 */
export const bootstrap: Command = {
  usage: '[--username <name>] [--passkey] [--again]',
  options: [
    ['--username <name>', 'Or BOOTSTRAP_ADMIN_USERNAME'],
    ['--passkey', 'Make no password: print a link to make a passkey with, and wait'],
    ['--again', 'Where there has been one and no active superadmin is left'],
    ['', 'The password: BOOTSTRAP_ADMIN_PASSWORD, or typed when asked'],
  ],
  flags: {
    username: { type: 'string' },
    passkey: { type: 'boolean' },
    again: { type: 'boolean' },
  },
  run: (given) =>
    withService(async (service) => {
      const theirOwn = await findUnfinished(service, hasFlag(given, 'again'));
      const known = readAnswers(given);
      if (isComplete(given, known)) return make(service, given, known);
      if (!given.interactive) throw new UsageError(`There is nobody to ask. Give ${lacking(given, known)}.`);
      return askAndMake(service, given, known, theirOwn);
    }),
};

/**
 * The name of a superadmin who never came in, which may be given again. Looked at before anything is asked; with
 * --again the service itself decides.
 */
async function findUnfinished({ operator }: ServiceAtHand, again: boolean): Promise<string | undefined> {
  const { bootstrap: state, superadmins } = await operator.overview();
  if (state === 'done' && !again) throw new AuthError('already_bootstrapped');
  return state === 'unfinished' ? superadmins[0]?.username : undefined;
}

/** What arguments and environment say already. */
const readAnswers = (given: Given): Partial<Superadmin> => ({
  username: textFlag(given, 'username') ?? (process.env.BOOTSTRAP_ADMIN_USERNAME || undefined),
  password: hasFlag(given, 'passkey') ? undefined : process.env.BOOTSTRAP_ADMIN_PASSWORD || undefined,
});

const isComplete = (given: Given, known: Partial<Superadmin>): known is Superadmin =>
  known.username !== undefined && (hasFlag(given, 'passkey') || known.password !== undefined);

const lacking = (given: Given, { username, password }: Partial<Superadmin>): string =>
  [
    ...(username === undefined ? ['--username or BOOTSTRAP_ADMIN_USERNAME'] : []),
    ...(password === undefined && !hasFlag(given, 'passkey')
      ? ['BOOTSTRAP_ADMIN_PASSWORD, or --passkey']
      : []),
  ].join(', and ');

/** Asks until the service takes the answers, or the person thinks better of it. Until then nothing is made. */
async function askAndMake(
  service: ServiceAtHand,
  given: Given,
  known: Partial<Superadmin>,
  theirOwn: string | undefined,
): Promise<number> {
  const { promptBootstrap } = await import('../bootstrap-prompts.tsx');
  const checkUsername = (name: string) => service.auth.users.checkAvailability(name);
  const passkey = hasFlag(given, 'passkey') || known.password !== undefined;
  let asked: Parameters<typeof promptBootstrap>[1] = {
    ...(known.username && { username: known.username }),
    ...(theirOwn && { theirOwn }),
    passkey,
  };
  while (true) {
    const answers = await promptBootstrap({ checkUsername }, asked);
    if (answers === null) {
      remark('Nothing was made.');
      return exitCodes.stopped;
    }
    try {
      return await make(service, given, { ...answers, password: answers.password ?? known.password });
    } catch (error) {
      if (!(error instanceof AuthError) || !mendable.has(error.code)) throw error;
      asked = { ...asked, username: answers.username, refusal: error.message };
    }
  }
}

/** What another answer may mend. */
const mendable = new Set<string>(['password_unacceptable', 'username_unacceptable', 'username_taken']);

const make = (service: ServiceAtHand, given: Given, superadmin: Superadmin): Promise<number> =>
  hasFlag(given, 'passkey')
    ? makeByPasskey(service, given, superadmin.username)
    : makeByPassword(service, given, superadmin);

async function makeByPassword(
  { operator, auth }: ServiceAtHand,
  given: Given,
  { username, password }: Superadmin,
): Promise<number> {
  const { user } = await operator.bootstrap({ username, password, again: hasFlag(given, 'again') });
  const origin = auth.config.origins[0];
  if (given.json) printJson({ user, link: null });
  else {
    print(`${printable(user.username)} is the first superadmin.`, '');
    print(
      'Next:',
      `  1. Sign in at ${origin}/signin/password`,
      `  2. Add a passkey at ${origin}/settings/security,`,
      '     then take the password away',
      '  3. Make recovery codes there, and keep them offline',
      '  4. Make a second superadmin, so that the loss of one device locks nobody out:',
      '     latchkey users role <username> superadmin',
      '  5. Take BOOTSTRAP_ADMIN_PASSWORD out of environment and .env, if it is there',
    );
  }
  return exitCodes.done;
}

async function makeByPasskey(
  { operator, auth }: ServiceAtHand,
  given: Given,
  username: string,
): Promise<number> {
  const { user, link } = await operator.bootstrap({ username, again: hasFlag(given, 'again') });
  if (link === null) return exitCodes.stopped;
  if (given.json) {
    printJson({ user, link });
    return exitCodes.done;
  }
  if (!given.interactive) {
    print(link.url);
    remark(
      '',
      `${printable(user.username)} becomes the superadmin by making a passkey there within the hour.`,
    );
    return exitCodes.done;
  }
  const { showLinkAndWait } = await import('../bootstrap-prompts.tsx');
  const outcome = await showLinkAndWait({
    ...link,
    username: user.username,
    isDone: async () => (await operator.users.inspect(user.username)).user.passkeyCount > 0,
  });
  if (outcome !== 'done') {
    remark('', 'Nobody has made a passkey yet. While nobody has, `latchkey bootstrap` can be run again.');
    return exitCodes.stopped;
  }
  const origin = auth.config.origins[0];
  print(
    '',
    'Next:',
    `  1. Make recovery codes at ${origin}/settings/security, and keep them offline`,
    '  2. Add a second passkey there',
    '  3. Make a second superadmin: latchkey users role <username> superadmin',
  );
  return exitCodes.done;
}
