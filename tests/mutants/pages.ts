import type { Mutant } from './mutant.ts';

const firstPages = 'tests/browser/first-pages.test.ts';

export default [
  {
    file: 'examples/server/web/styles/tokens.css',
    replace: '--ink-faint: #99a29d;',
    by: '--ink-faint: #4a524e;',
    breaks: 'Faint text has too little contrast in dark colors',
    killedBy: [firstPages],
  },
  {
    file: 'examples/server/web/styles/tokens.css',
    replace: '--ink-faint: #626863;',
    by: '--ink-faint: #b2b8b3;',
    breaks: 'Faint text has too little contrast in light colors',
    killedBy: [firstPages],
  },
  {
    file: 'examples/server/web/index.html',
    replace: '<html lang="en">',
    by: '<html>',
    breaks: 'Screen readers do not know the language of the pages',
    killedBy: [firstPages],
  },
  {
    file: 'examples/server/web/styles/base.css',
    replace: 'overflow-wrap: anywhere;',
    by: '',
    breaks: 'A long name makes a page wider than a phone',
    killedBy: ['tests/browser/extremes.test.ts'],
  },
] satisfies Mutant[];
