/** An error that the program does not handle. */
export interface Bug {
  message: string;
  stack: string;
}

export const bugReportRequest = 'Please report it with this stack trace:';

export function describeBug(error: unknown): Bug {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { message: `This is a bug in Latchkey: ${name}: ${message}`, stack: frames.join('\n') };
}

const recorded = new Map<string, Bug>();

/** Records a bug that occurs while the screens are open. `interactive` prints the bug after the screens close. */
export function recordBug(error: unknown): Bug {
  const bug = describeBug(error);
  recorded.set(`${bug.message}\n${bug.stack}`, bug);
  return bug;
}

export const recordedBugs = (): Bug[] => [...recorded.values()];
