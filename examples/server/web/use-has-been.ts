import { useState } from 'preact/hooks';

/** Whether a condition was true in any render since the component mounted. */
export function useHasBeen(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo);
  if (isSo && !was) setWas(true);
  return was || isSo;
}
