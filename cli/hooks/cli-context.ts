import { createContext, useContext } from 'react';
import type { CliContext } from '../cli-context.ts';

export const CliContextProvider = createContext<CliContext | null>(null);

export function useCliContext(): CliContext {
  const context = useContext(CliContextProvider);
  if (!context) throw new TypeError('screens need a CliContextProvider');
  return context;
}
