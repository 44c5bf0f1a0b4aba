import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { errorTable } from '../src/core/errors.ts';
import { type Area, areasOf, directory, kindsOf, readArea } from './catalogue.ts';

const lineWidth = 110;
const pages = join(directory, '..');
const languages = readdirSync(directory).filter((name) => /^[a-z]{2}$/.test(name));

/** The generated types: for each area, the keys of its messages with the kinds of their values. */
export const messageTypes = (): [path: string, types: string][] =>
  areasOf('en').map((area) => [join(directory, 'types', `${area}.ts`), typesOf(area)]);

function typesOf(area: string): string {
  const valid = Object.entries(readArea('en', area)).filter(([, message]) => isValid(message));
  const lines = valid.map(([name, message]) => {
    const kinds = Object.entries(kindsOf(message)).map(([value, kind]) => `${value}: '${kind}'`);
    const line = `  '${area}.${name}': ${kinds.length > 0 ? `{ ${kinds.join('; ')} }` : 'null'};\n`;
    // Breaks long lines as the formatter does.
    if (line.length <= lineWidth + 1) return line;
    return `  '${area}.${name}': {\n${kinds.map((kind) => `    ${kind};\n`).join('')}  };\n`;
  });
  const type = `${area.slice(0, 1).toUpperCase()}${area.slice(1)}Messages`;
  const head = `// Written by \`npm run messages\`.\nexport `;
  return lines.length > 0
    ? `${head}interface ${type} {\n${lines.join('')}}\n`
    : `${head}type ${type} = Record<never, never>;\n`;
}

function isValid(message: string): boolean {
  try {
    kindsOf(message);
    return true;
  } catch {
    return false;
  }
}

/** Returns the faults of the messages: invalid syntax, differences between languages, messages that no page uses. */
export function faultsOf(): string[] {
  const used = usedKeys();
  const areas = areasOf('en').flatMap((area) => [
    ...languages.flatMap((language) =>
      differences(readArea('en', area), readArea(language, area), language).map(
        (fault) => `${join(directory, language, `${area}.json`)}: ${fault}`,
      ),
    ),
    ...Object.keys(readArea('en', area))
      .filter((name) => !used.has(`${area}.${name}`))
      .map((name) => `${area}.${name} is not used. Pages must contain the whole key, '${area}.${name}'.`),
  ]);
  return [...areas, ...untranslatedErrors()];
}

/** The codes of errors whose texts are not translated. In English, the errors contain their texts. */
const untranslatedErrors = (): string[] =>
  languages
    .filter((language) => language !== 'en')
    .flatMap((language) => {
      const problems = readArea(language, 'problems');
      return Object.keys(errorTable)
        .filter((code) => !problems[`${code}_title`] || !problems[`${code}_next`])
        .map((code) => `${join(directory, language, 'problems.json')}: ${code} is missing`);
    });

/** The faults of messages in a language, compared with the English ones. */
export function differences(english: Area, own: Area, language: string): string[] {
  const missing = Object.keys(english).filter((name) => !Object.hasOwn(own, name));
  const faults = Object.entries(own).flatMap(([name, message]) => {
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) return [`${name}: write the name in camelCase`];
    const model = english[name];
    if (model === undefined) return [`${name} is missing in English`];
    try {
      const [kinds, wanted] = [describe(kindsOf(message)), describe(kindsOf(model))];
      if (kinds !== wanted) return [`${name} takes these values: ${kinds}. In English: ${wanted}`];
      return missingForms(language, message).map((fault) => `${name}: ${fault}`);
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : error}`];
    }
  });
  return [...missing.map((name) => `${name} is missing`), ...faults];
}

const describe = (kinds: object) =>
  Object.entries(kinds)
    .sort()
    .map(([name, kind]) => `${name}: ${kind}`)
    .join(', ') || 'none';

/** The plural forms of the language that a message does not have. */
function missingForms(language: string, message: string): string[] {
  const visit = (element: MessageFormatElement): string[] => {
    if (element.type === TYPE.tag) return element.children.flatMap(visit);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const within = Object.values(element.options).flatMap(({ value }) => value.flatMap(visit));
    if (element.type === TYPE.select) return within;
    const forms = new Intl.PluralRules(language, { type: element.pluralType }).resolvedOptions();
    const missing = forms.pluralCategories.filter((form) => !Object.hasOwn(element.options, form));
    return [...missing.map((form) => `{${element.value}} has no plural form "${form}"`), ...within];
  };
  return parse(message).flatMap(visit);
}

/** All texts in quotes, in the code of the pages, that look like a key. */
function usedKeys(): Set<string> {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.includes('messages'),
  );
  return new Set(
    files.flatMap((path) =>
      [...readFileSync(join(pages, path), 'utf8').matchAll(/['"`]([a-z]+\.[a-zA-Z0-9]+)['"`]/g)].map(
        ([, key = '']) => key,
      ),
    ),
  );
}
