import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'esbuild';
import compileIcu from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';

/** The folder with the messages of the pages. It has a folder for each language, which has a file for each area. */
export const directory = 'examples/server/web/messages';

/** What a value of a message is: text, a number, a choice between texts, or an element around a part of the message. */
export type Kind = 'text' | 'number' | 'choice' | 'tag';

/** The messages of an area, by name. */
export type Area = Record<string, string>;

export const readArea = (language: string, area: string): Area =>
  JSON.parse(readFileSync(join(directory, language, `${area}.json`), 'utf8'));

/** The areas of a language, in alphabetical order. */
export const areasOf = (language: string): string[] =>
  readdirSync(join(directory, language))
    .map((name) => name.replace(/\.json$/, ''))
    .sort();

/** Compiles a message, so that browsers do not load a parser. A message without values stays a text. */
export function compile(message: string): CompiledMessage {
  const compiled = compileIcu(message);
  return Array.isArray(compiled) ? compiled.map(withElements) : compiled;
}

/** Turns `{name}`, which can contain only text, into an empty tag, which can also contain elements. */
function withElements<Node>(node: Node): Node {
  if (!Array.isArray(node)) return node;
  const [name, type, ...rest] = node;
  if (node.length === 1) return [`{${name}}`, ''] as Node;
  const isTag = typeof type !== 'number' || type === 0;
  if (isTag) return [name, ...node.slice(1).map(withElements)] as Node;
  // A plural or a select: its branches are texts, numbers or lists of nodes.
  const [branches] = rest;
  if (type > 3) return node;
  const within = Object.entries(branches).map(([form, branch]) => [
    form,
    Array.isArray(branch) ? branch.map(withElements) : branch,
  ]);
  return [name, type, Object.fromEntries(within)] as Node;
}

/** The values that a message takes. */
export function kindsOf(message: string): Record<string, Kind> {
  const kinds: Record<string, Kind> = {};
  const visit = (element: MessageFormatElement) => {
    if (element.type === TYPE.argument) kinds[element.value] ??= 'text';
    if (element.type === TYPE.number) kinds[element.value] = 'number';
    if (element.type === TYPE.date || element.type === TYPE.time)
      throw new Error(`{${element.value}} is a date: format it with dates.ts`);
    if (element.type === TYPE.tag) {
      kinds[element.value] = 'tag';
      element.children.forEach(visit);
    }
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      kinds[element.value] = element.type === TYPE.plural ? 'number' : 'choice';
      for (const option of Object.values(element.options)) option.value.forEach(visit);
    }
  };
  parse(message).forEach(visit);
  return kinds;
}

/** The files of the messages. */
export const areaFile = /server[\\/]web[\\/]messages[\\/]\w+[\\/]\w+\.json$/;

/** Compiles the content of a file. */
export function compileArea(json: string): string {
  const area: Area = JSON.parse(json);
  const compiled = Object.entries(area).map(([name, message]) => [name, compile(message)]);
  return JSON.stringify(Object.fromEntries(compiled));
}

/** Compiles the messages for the pages. */
export const messages = (): Plugin => ({
  name: 'messages',
  setup({ onLoad }) {
    onLoad({ filter: areaFile }, async ({ path }) => {
      const contents = compileArea(await readFile(path, 'utf8'));
      return { contents, loader: 'json' };
    });
  },
});
