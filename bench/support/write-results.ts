import { mkdir, writeFile } from 'node:fs/promises';

/** Leaves what was measured in `bench/results`, every number and what is read, and prints the latter. */
export async function writeResults(name: string, results: object, markdown: string): Promise<void> {
  await mkdir('bench/results', { recursive: true });
  await writeFile(`bench/results/${name}.json`, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(`bench/results/${name}.md`, `${markdown}\n`);
  console.log(markdown);
}
