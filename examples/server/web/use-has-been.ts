import { useState } from 'preact/hooks';

/** Whether something has been so at any time since the component appeared. */
export function useHasBeen(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo);
  if (isSo && !was) setWas(true);
  return was || isSo;
}
