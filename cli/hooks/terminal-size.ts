import { useStdout } from 'ink';
import { createContext, useContext, useEffect, useState } from 'react';

export interface Size {
  columns: number;
  rows: number;
}

/** A size that is given instead of asked of the terminal. */
export const SizeContext = createContext<Size | null>(null);

function useTerminalSize(): Size {
  const given = useContext(SizeContext);
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => sizeOf(stdout));
  useEffect(() => {
    const measure = () =>
      setSize((last) => {
        const next = sizeOf(stdout);
        return last.columns === next.columns && last.rows === next.rows ? last : next;
      });
    // It may have changed between drawing and listening.
    measure();
    stdout.on('resize', measure);
    return () => {
      stdout.off('resize', measure);
    };
  }, [stdout]);
  return given ?? size;
}

const sizeOf = ({ columns, rows }: { columns?: number; rows?: number }): Size => ({
  columns: columns || 80,
  rows: rows || 24,
});

/** Rule, message and keys stand around a screen, and the last line stays free, or the terminal would scroll. */
const linesAround = 4;

/** The room that a screen has for itself. */
export function useRoom(): Size {
  const { columns, rows } = useTerminalSize();
  return { columns, rows: Math.max(4, rows - linesAround) };
}
