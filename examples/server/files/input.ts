import type { Context } from 'koa';
import * as v from 'valibot';
import { readJson } from './read-json.ts';

const mostCharacters = 100;
const mostBytes = 20_000;

const storable = v.check(
  (text: string) => text.isWellFormed() && !text.includes('\0'),
  'The text contains a character that cannot be stored.',
);

const fields = {
  name: v.pipe(
    v.string('Enter a name.'),
    v.trim(),
    v.minLength(1, 'Enter a name.'),
    v.maxLength(mostCharacters, `The name is too long. Use at most ${mostCharacters} characters.`),
    storable,
  ),
  content: v.pipe(
    v.string('Send the content.'),
    v.maxBytes(mostBytes, 'The content is too long. The limit is 20 kB.'),
    storable,
  ),
};

const newFile = v.strictObject({
  ...fields,
  organizationId: v.optional(v.nullable(v.pipe(v.string(), v.uuid('Organization not found.'))), null),
});
const changedFile = v.strictObject(fields);

export type NewFile = v.InferOutput<typeof newFile>;

export const readNewFile = (ctx: Context) => read(ctx, newFile);
export const readChangedFile = (ctx: Context) => read(ctx, changedFile);

async function read<Schema extends v.GenericSchema>(
  ctx: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const { success, output, issues } = v.safeParse(schema, await readJson(ctx));
  return success ? output : ctx.throw(400, issues[0].message);
}
