/** Shows one changing line on stderr. Shows nothing if stderr is not a terminal. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** How often the line changes. */
const pauseMs = 100;

export function progressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (stream.isTTY !== true || process.env.TERM === 'dumb') return { show: () => {}, clear: () => {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = performance.now();
      if (now - shownAt < pauseMs) return;
      shownAt = now;
      stream.write(`\r\x1b[2K${text}`);
    },
    clear() {
      stream.write('\r\x1b[2K');
    },
  };
}
