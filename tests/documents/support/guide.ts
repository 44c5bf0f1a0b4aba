import { readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

export interface Guide {
  /**
   * Returns the code of the only block that contains `text`, and records that a test uses it.
   *
   * @throws if no block or several blocks contain the text.
   */
  block(text: string): string;
}

/** A code block, with the language that follows the backticks. Blocks of output have no language. */
const codeBlock = /^( *)```(\w+)\n([\s\S]*?)^\1```$/gm;

/**
 * Reads the code blocks of a document, for example `docs/guides/webhooks.md`. A last check fails if the tests of the file
 * did not use each block.
 */
export function readGuide(path: string): Guide {
  const blocks = [...readFileSync(path, 'utf8').matchAll(codeBlock)].map(([, indent = '', , code = '']) =>
    indent === '' ? code : code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  const used = new Set<string>();
  afterAll(() => {
    expect(
      blocks.filter((code) => !used.has(code)),
      `${path}: no test uses these code blocks`,
    ).toEqual([]);
  });
  return {
    block(text) {
      const [code, ...others] = blocks.filter((block) => block.includes(text));
      if (code === undefined || others.length > 0)
        throw new Error(
          `${path}: ${others.length + (code ? 1 : 0)} code blocks contain "${text}", expected one`,
        );
      used.add(code);
      return code;
    },
  };
}
