/** How often the line changes. */
const intervalMs = 200;

export interface Progress {
  show(text: string): void;
  /** Removes the line. */
  end(): void;
}

/** Shows one changing line on stderr. Shows nothing if stderr is not a terminal. */
export function startProgress(isShown: boolean, stream: NodeJS.WriteStream = process.stderr): Progress {
  let shownAtMs = 0;
  const clear = '\r\u001b[2K';
  const isTerminal = isShown && stream.isTTY === true;
  return {
    show(text) {
      const nowMs = Date.now();
      if (!isTerminal || nowMs - shownAtMs < intervalMs) return;
      shownAtMs = nowMs;
      stream.write(`${clear}${text}`);
    },
    end() {
      if (isTerminal) stream.write(clear);
    },
  };
}
