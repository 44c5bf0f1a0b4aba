import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AuthError, type Member, type OperatorActions } from 'latchkey';
import pLimit from 'p-limit';
import { command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { createFile, ndjson, readNdjson } from '../ndjson.ts';
import { facts, print, printJson, remark } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { createRefusedFile } from '../refused-file.ts';
import { withService } from '../service.ts';
import { count } from '../words/count.ts';
import { type ImportReport, importOrganizations, type Refusal } from './import-organizations.ts';
import { rolesOf } from './roles.ts';

const importCommand = command({
  args: '<file>',
  flags: {
    dryRun: { type: 'boolean', about: 'Check every record and change nothing' },
    refused: { type: 'string', value: 'file', about: 'Write refused records and the reasons to this file' },
    usersSource: {
      type: 'string',
      value: 'name',
      about: 'Members have a "sourceId" of users imported from this source, instead of a username',
    },
    existing: { type: 'boolean', about: 'Also add members to organizations that users created' },
  },
  note: `The file is NDJSON: one organization on each line. "-" reads standard input.
  { "slug": "engines", "name": "Engines", "createdAt": "2024-01-02T03:04:05Z",
    "members": [{ "username": "ada", "role": "admin" }] }
If the command stops, run it again: it only adds what is missing. The exit code is 3 if records were refused.`,
  async run({ args: [file = ''], flags: { dryRun, refused, usersSource, existing }, json }) {
    const source = file === '-' ? null : await open(file, 'r');
    let output: FileHandle | undefined;
    const progress = json ? null : progressLine();
    const inTurn = pLimit(1);
    const onRefusal = async (refusal: Refusal) => {
      await inTurn(() => output?.appendFile(ndjson(refusal)));
    };
    try {
      output = refused === undefined ? undefined : await createRefusedFile(refused, source);
      const report = await withService(({ auth, operator }) =>
        importOrganizations(operator, readNdjson(source?.createReadStream() ?? process.stdin), {
          roles: rolesOf(auth),
          dryRun,
          usersSource,
          existing,
          onRefusal,
          onLine: (line) => progress?.show(`Line ${line}`),
        }),
      );
      progress?.clear();
      return printReport(report, refused, json);
    } finally {
      progress?.clear();
      await output?.close();
      await source?.close().catch(() => {});
    }
  },
});

function printReport(report: ImportReport, file: string | undefined, json: boolean): number | undefined {
  const { dryRun, organizations, members, refused } = report;
  const reasons = Object.entries(refused);
  if (json) printJson(report);
  else
    print(
      facts([
        [dryRun ? 'Would create' : 'Created', count(organizations.created, 'organization')],
        ['Existed already', count(organizations.alreadyExisting, 'organization')],
        [dryRun ? 'Would add' : 'Added', count(members.added, 'member')],
        ['Were members', count(members.alreadyMembers, 'user')],
        ['Refused', reasons.map(([reason, times]) => `${times} ${reason}`).join(', ') || 'none'],
      ]),
    );
  if (reasons.length === 0) return undefined;
  if (!json)
    remark(
      '',
      file === undefined
        ? 'To write the refused records to a file, add --refused=<file>.'
        : `The refused records are in ${file}.`,
    );
  return exitCodes.refused;
}

const exportCommand = command({
  flags: { output: { type: 'string', value: 'file', about: 'A file to create (default: standard output)' } },
  note: `\`latchkey organizations import\` reads this format. A large organization has several lines.`,
  async run({ flags: { output } }) {
    let written = 0;
    async function* lines(organizations: OperatorActions['organizations']) {
      for await (const record of recordsOf(organizations)) {
        written += 1;
        yield ndjson(record);
      }
    }
    await withService(async ({ operator: { organizations } }) => {
      if (output === undefined) return pipeline(lines(organizations), process.stdout, { end: false });
      const handle = await createFile(output);
      return pipeline(lines(organizations), handle.createWriteStream());
    });
    return output === undefined ? undefined : remark(`Wrote ${count(written, 'record')} to ${output}.`);
  },
});

/** The largest number of members in one line. */
const membersPerLine = 1000;

async function* recordsOf(organizations: OperatorActions['organizations']) {
  for await (const { id, slug, name, createdAt } of pagesOf(
    (cursor) => organizations.list({ sortBy: 'id', limit: 200, cursor }),
    ({ organizations: items }) => items,
  )) {
    const record = { slug, name, createdAt };
    let members: { username: string; role: string }[] = [];
    let isFirst = true;
    for await (const { user, role } of membersOf(organizations, id)) {
      members.push({ username: user.username, role });
      if (members.length < membersPerLine) continue;
      yield { ...record, members };
      members = [];
      isFirst = false;
    }
    if (isFirst || members.length > 0) yield { ...record, members };
  }
}

/** The members of an organization, until the organization is deleted. Slugs and usernames can change in between. */
async function* membersOf(
  organizations: OperatorActions['organizations'],
  id: string,
): AsyncGenerator<Member> {
  try {
    yield* pagesOf(
      (cursor) => organizations.listMembers({ id }, { sortBy: 'id', limit: 200, cursor }),
      ({ members }) => members,
    );
  } catch (error) {
    if (!(error instanceof AuthError && error.code === 'not_found')) throw error;
  }
}

/** Reads all pages of a list. */
async function* pagesOf<Page extends { nextCursor: string | null }, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* itemsOf(page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export const transferCommands = { import: importCommand, export: exportCommand };
