import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Text } from './text.tsx';

export interface Column<T> {
  title: string;
  /** Width in characters. Columns without a width share the remaining space. */
  width?: number;
  /** Hidden in terminals narrower than this. */
  from?: number;
  cell(row: T): string;
  color?(row: T): string | undefined;
}

/** Shows as many rows as fit. Always shows the selected row. */
export function Table<T>({
  columns,
  rows,
  keyOf,
  selected,
  width,
  height,
  empty,
}: {
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string;
  selected: number;
  width: number;
  height: number;
  /** Shown if there are no rows. */
  empty: string;
}): ReactNode {
  const shown = columns.filter(({ from = 0 }) => width >= from);
  const room = Math.max(1, height - 1);
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), rows.length - room));
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <Box>
        <Text> </Text>
        {shown.map(({ title, width }) => (
          <Cell key={title} width={width}>
            <Text dimColor wrap="truncate">
              {title}
            </Text>
          </Cell>
        ))}
      </Box>
      {rows.length === 0 && <Text dimColor>{`  ${empty}`}</Text>}
      {rows.slice(first, first + room).map((row, index) => (
        <Row key={keyOf(row)} columns={shown} row={row} isSelected={first + index === selected} />
      ))}
    </Box>
  );
}

function Row<T>({
  columns,
  row,
  isSelected,
}: {
  columns: readonly Column<T>[];
  row: T;
  isSelected: boolean;
}): ReactNode {
  return (
    <Box>
      <Text color="cyan">{isSelected ? '›' : ' '}</Text>
      {columns.map(({ title, width, cell, color }) => (
        <Cell key={title} width={width}>
          <Text wrap="truncate" bold={isSelected} {...colorOf(color?.(row))}>
            {cell(row)}
          </Text>
        </Cell>
      ))}
    </Box>
  );
}

const colorOf = (color: string | undefined) => (color === undefined ? {} : { color });

const Cell = ({ width, children }: { width: number | undefined; children: ReactNode }) =>
  width === undefined ? (
    <Box flexGrow={1} flexShrink={1} flexBasis={0} minWidth={4} paddingLeft={1} overflow="hidden">
      {children}
    </Box>
  ) : (
    <Box width={width + 1} flexShrink={0} paddingLeft={1} overflow="hidden">
      {children}
    </Box>
  );
