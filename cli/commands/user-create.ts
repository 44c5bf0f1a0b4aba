import { command } from '../command.ts';
import { facts, print, printJson, remark, utcTime } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { printable } from '../words/printable.ts';

export const createUser = command({
  args: '<username>',
  flags: {
    displayName: { type: 'string', value: 'name', about: 'Name that other users see' },
    role: { type: 'string', choices: ['user', 'admin'], about: 'Role (default user)' },
    passwordStdin: { type: 'boolean', about: 'Read the password from standard input' },
    link: { type: 'boolean', about: 'Print a link with which the user adds a passkey' },
  },
  note: 'Without a password and a link, the user cannot sign in yet. Create a link later with `latchkey users create-recovery-link`.',
  async run({ args: [username = ''], flags, json }) {
    const password = flags.passwordStdin ? await readPassword() : undefined;
    const request = {
      username,
      displayName: flags.displayName,
      role: flags.role,
      password,
      recoveryLink: flags.link,
    };
    const { user, link } = await withService(({ operator }) =>
      operator.users.create(request).catch((error) => {
        throw isAboutRequest(error) ? new UsageError(error.message) : error;
      }),
    );
    if (json) return printJson({ user, link });
    print(
      facts([
        ['Username', user.username],
        ['ID', user.id],
        ['Role', user.role],
        ...(link === null
          ? []
          : ([
              ['Link', link.url],
              ['Expires', `${utcTime(link.expiresAt)} UTC`],
            ] as const)),
      ]),
    );
    if (link !== null)
      return remark('', 'The link is shown only once. It is single-use and lets the user add a passkey.');
    return password === undefined
      ? remark('', `${printable(user.username)} cannot sign in yet, because the account has no passkey.`)
      : undefined;
  },
});

const isAboutRequest = (error: unknown): error is TypeError =>
  error instanceof TypeError && error.message.startsWith('users.create: ');

/** More than the longest password. */
const mostBytes = 4096;

/** Reads one line. A password in an argument would be visible to every user of the machine. */
async function readPassword(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes)
      throw new UsageError(`--password-stdin: expected at most ${mostBytes} bytes on standard input.`);
  }
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (text === '' || text.includes('\n'))
    throw new UsageError('--password-stdin: expected one line with the password on standard input.');
  return text;
}
