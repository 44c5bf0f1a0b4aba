import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of all descendants of a process. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const childrenOf = (parent: number): number[] =>
    parents.filter(([, its]) => its === parent).flatMap(([child]) => [child, ...childrenOf(child)]);
  return childrenOf(pid);
}

function parentOf(pid: string): number {
  try {
    // The name of the program, in parentheses, can contain spaces.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/s);
    return Number(fields.split(' ')[1]);
  } catch {
    return 0;
  }
}

/** Sends a signal to a process and all its descendants. Processes that no longer exist are ignored. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // The descendants of a killed process get another parent, so they must be known before.
  const known = descendantsOf(pid);
  // Then the process itself, so that SIGSTOP prevents new children.
  trySignal(pid, signal);
  for (const descendant of new Set([...known, ...descendantsOf(pid)])) trySignal(descendant, signal);
}

/** Sends a signal to the descendants of a process whose command line contains this text. */
export function signalNamed(pid: number, text: string, signal: NodeJS.Signals): void {
  for (const descendant of descendantsOf(pid))
    if (commandOf(descendant).includes(text)) trySignal(descendant, signal);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** @returns whether the process exists */
export function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
