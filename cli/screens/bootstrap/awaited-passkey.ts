import { useEffect, useState } from 'react';
import { useClock } from '../../hooks/clock.ts';
import { usePoll } from '../../hooks/poll.ts';

export interface AwaitedPasskey {
  username: string;
  /** When the link expires, as an RFC 3339 time. */
  expiresAt: string;
  isDone(): Promise<boolean>;
}

export interface Waiting {
  end: 'done' | 'expired' | null;
  problem: string | null;
}

/** Checks every second whether the user has added a passkey. */
export function useAwaitedPasskey({ expiresAt, isDone }: AwaitedPasskey): Waiting {
  const clock = useClock();
  const [end, setEnd] = useState<Waiting['end']>(null);
  const { data, problem } = usePoll(async () => ({ isDone: await isDone(), at: clock.now() }), {
    everyMs: 1000,
    enabled: end === null,
  });
  useEffect(() => {
    if (data?.isDone) setEnd('done');
    else if (data && data.at.getTime() >= Date.parse(expiresAt)) setEnd('expired');
  }, [data, expiresAt]);
  return { end, problem };
}
