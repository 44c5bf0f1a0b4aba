/** A `pg_snapshot`: which transactions have ended. */
export interface Snapshot {
  /** The transactions before this one have ended. */
  xmin: bigint;
  /** No transaction from this one on has ended. */
  xmax: bigint;
  /** The transactions in between that have not ended, ascending. */
  running: readonly bigint[];
}

/** @throws RangeError if the text is not that of a `pg_snapshot` */
export function readSnapshot(text: string): Snapshot {
  const [, xmin, xmax, running = ''] = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(text) ?? [];
  if (xmin === undefined || xmax === undefined) throw new RangeError(`"${text}" is not a pg_snapshot`);
  return {
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: running === '' ? [] : running.split(',').map(BigInt),
  };
}

export const snapshotText = ({ xmin, xmax, running }: Snapshot): string =>
  `${xmin}:${xmax}:${running.join(',')}`;

/**
 * Returns a snapshot that shows a transaction as ended if `seen` shows it as ended, or if `now` does and the transaction
 * comes before `xid`.
 */
export function advanceSnapshot(seen: Snapshot, now: Snapshot, xid: bigint): Snapshot {
  const reached = now.xmax < xid ? now.xmax : xid;
  const xmax = seen.xmax > reached ? seen.xmax : reached;
  const running = [
    ...seen.running.filter((each) => each >= reached || now.running.includes(each)),
    ...now.running.filter((each) => each >= seen.xmax && each < xmax),
  ];
  return { xmin: running[0] ?? xmax, xmax, running };
}
