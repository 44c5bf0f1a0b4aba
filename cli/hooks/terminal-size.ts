import { useStdout } from 'ink';
import { createContext, useContext, useEffect, useState } from 'react';

export interface Size {
  columns: number;
  rows: number;
}

/** Overrides the size of the terminal in tests. */
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
    // The size can change after the first frame and before this listener is added.
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

/**
 * The number of lines outside the content: the title, the notice, the key hints and an empty last line. Text in the
 * last line would scroll the terminal.
 */
const linesAround = 4;

/** The space for the content of a screen, between the title and the notice. */
export function useRoom(): Size {
  const { columns, rows } = useTerminalSize();
  return { columns, rows: Math.max(4, rows - linesAround) };
}
