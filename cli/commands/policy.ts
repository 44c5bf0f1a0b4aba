import type { AuthenticatorReport } from 'latchkey';
import { command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, table } from '../output.ts';
import { withService } from '../service.ts';
import { count } from '../words/count.ts';

const test = command({
  note: 'The exit code is 3 if users could not sign in anymore with `checkSignIns`, otherwise 0.',
  async run({ json }) {
    const report = await withService(({ operator }) => operator.users.testAuthenticatorPolicy());
    if (json) printJson(report);
    else printReport(report);
    return report.shutOut > 0 ? exitCodes.refused : exitCodes.done;
  },
});

function printReport({ users, total, shutOut }: AuthenticatorReport): void {
  if (total === 0) {
    print('The option authenticators excludes no passkey of an active user.');
    return;
  }
  const rows = users.flatMap(({ username, role, excluded, isShutOut }) =>
    excluded.map(({ label, provider, reason }) => [
      username,
      role,
      label,
      provider ?? '–',
      reason,
      isShutOut ? 'no' : 'yes',
    ]),
  );
  print(table(['USERNAME', 'ROLE', 'PASSKEY', 'MODEL', 'REASON', 'CAN STILL SIGN IN'], rows));
  print(
    '',
    `${count(total, 'user')} with excluded passkeys. With checkSignIns, ${shutOut} of them cannot sign in.`,
  );
}

export const commands = { test };
