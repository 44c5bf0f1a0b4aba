import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { UserRecord } from 'latchkey';
import { command } from '../command.ts';
import { remark } from '../output.ts';
import { withService } from '../service.ts';
import { isId } from '../user-id.ts';
import { count } from '../words/count.ts';
import { printableJson } from '../words/printable.ts';

/** The names of the lists in the document, in the order of the records. */
const lists = {
  earlier_username: 'earlierUsernames',
  passkey: 'passkeys',
  session: 'sessions',
  membership: 'memberships',
  created_organization: 'createdOrganizations',
  import: 'imports',
  invitation: 'invitations',
  organization_invitation: 'organizationInvitations',
  audit_event: 'auditEvents',
} as const satisfies Record<Exclude<UserRecord['type'], 'account'>, string>;

export const exportUser = command({
  args: '<user>',
  flags: {
    output: { type: 'string', value: 'file', about: 'A file to create (default: standard output)' },
    ndjson: { type: 'boolean', about: 'Write one record per line instead of one JSON document' },
  },
  note: 'The user is a username or an ID. For a deleted user, give the ID. The export contains everything that Latchkey stores about the user, except secrets. It does not contain the tables of your application.',
  async run({ args: [user = ''], flags: { output, ndjson } }) {
    let written = 0;
    async function* counted(records: AsyncIterable<UserRecord>) {
      for await (const record of records) {
        written += 1;
        yield record;
      }
    }
    await withService(async ({ operator }) => {
      const found = isId(user) ? { id: user.toLowerCase() } : { username: user };
      const records = counted(await operator.users.export(found));
      const text = ndjson ? linesOf(records) : documentOf(records);
      if (output === undefined) return pipeline(text, process.stdout, { end: false });
      const file = await open(output, 'wx', 0o600);
      return pipeline(text, file.createWriteStream());
    });
    return output === undefined ? undefined : remark(`Wrote ${count(written, 'record')} to ${output}.`);
  },
});

async function* linesOf(records: AsyncIterable<UserRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${printableJson(record)}\n`;
}

/** Writes one JSON document while it reads the records, so that it needs little memory. The document has every list. */
async function* documentOf(records: AsyncIterable<UserRecord>): AsyncGenerator<string> {
  const types = Object.keys(lists);
  const names = Object.values(lists);
  let place = -1;
  let isEmpty = true;
  const end = () => (isEmpty ? ']' : '\n  ]');
  const listsUpTo = (next: number): string => {
    let text = '';
    for (; place < next; isEmpty = true) {
      text += `${place < 0 ? '' : end()},\n  "${names[place + 1]}": [`;
      place += 1;
    }
    return text;
  };
  for await (const { type, ...content } of records) {
    if (type === 'account') yield `{\n  "account": ${printableJson(content)}`;
    else {
      yield `${listsUpTo(types.indexOf(type))}${isEmpty ? '' : ','}\n    ${printableJson(content)}`;
      isEmpty = false;
    }
  }
  yield `${listsUpTo(types.length - 1)}${end()}\n}\n`;
}
