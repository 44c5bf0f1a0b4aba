import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The corpus of a target is a text file with one input per line, in base64url. */
const pathOf = (target: string) => `tests/fuzz/corpus/${target}.txt`;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64url'));
export const textOf = (input: Uint8Array): string => Buffer.from(input).toString('base64url');

/** Reads the corpus of a target from the folder of the repository. */
export function readCorpus(target: string): Uint8Array[] {
  if (!existsSync(pathOf(target))) return [];
  return readFileSync(pathOf(target), 'utf8').split('\n').filter(Boolean).map(bytesOf);
}

/** Replaces the corpus. Sorts the inputs, so that an unchanged corpus gives an unchanged file. */
export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const lines = [...new Set(inputs.map(textOf))].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  writeFileSync(pathOf(target), lines.map((line) => `${line}\n`).join(''));
}
