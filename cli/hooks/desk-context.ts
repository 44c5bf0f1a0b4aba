import { createContext, useContext } from 'react';
import type { Desk } from '../desk.ts';

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new TypeError('a screen needs a desk');
  return desk;
}
