import { mkdir, writeFile } from 'node:fs/promises';

/** Writes the results to `bench/results` as JSON and Markdown, and prints the Markdown. */
export async function writeResults(name: string, results: object, markdown: string): Promise<void> {
  await mkdir('bench/results', { recursive: true });
  await writeFile(`bench/results/${name}.json`, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(`bench/results/${name}.md`, `${markdown}\n`);
  console.log(markdown);
}
