// The command palette and the help, as one script.
export { Help } from './help.tsx';
export { Palette } from './palette.tsx';
