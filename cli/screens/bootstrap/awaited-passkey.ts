import { useEffect, useState } from 'react';
import { useClock } from '../../hooks/clock.ts';
import { usePoll } from '../../hooks/poll.ts';

export interface AwaitedPasskey {
  username: string;
  /** RFC 3339: until when the link serves. */
  expiresAt: string;
  isDone(): Promise<boolean>;
}

export interface Waiting {
  end: 'done' | 'expired' | null;
  trouble: string | null;
}

/** Looks every second whether the passkey is there. */
export function useAwaitedPasskey({ expiresAt, isDone }: AwaitedPasskey): Waiting {
  const clock = useClock();
  const [end, setEnd] = useState<Waiting['end']>(null);
  const { data, trouble } = usePoll(async () => ({ isDone: await isDone(), at: clock.now() }), {
    every: 1000,
    enabled: end === null,
  });
  useEffect(() => {
    if (data?.isDone) setEnd('done');
    else if (data && data.at.getTime() >= Date.parse(expiresAt)) setEnd('expired');
  }, [data, expiresAt]);
  return { end, trouble };
}
