/** The invented team. The first two sign up in the browser, so `data.mjs` only sets their display names. */
export const team = [
  ['nora.lindqvist', 'Nora Lindqvist'],
  ['ben.smith', 'Ben Smith'],
  ['amara.okafor', 'Amara Okafor'],
  ['anna.muller', 'Anna Müller'],
  ['aziz', 'عبد العزيز آل سعود'],
  ['dana.cohen', 'דנה כהן'],
  ['emma.tanaka', 'Emma Tanaka'],
  ['foxy', '🦊 Foxy 👩‍👩‍👧‍👦'],
  ['iris.smith', 'Iris Smith'],
  ['kapitaen', 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenpolitur'.slice(0, 64)],
  ['lea.novak', 'Lea Novák'],
  ['marco.rossi', 'Marco Rossi'],
  ['noah.okafor', 'Noah Okafor'],
  ['sofia.jones', 'Sofia Jones'],
  ['w'.repeat(32), 'W'.repeat(64)],
];

const firstNames =
  'Alice Bruno Carla Dmitri Elena Farid Greta Hugo Ines Jonas Keiko Liam Mila Nadia Oskar Priya Quentin Rosa Samir Tara';
const lastNames = 'Andersen Bianchi Costa Dubois Eriksen Fischer Garcia Haddad Ivanova Jensen Kim';

/** Further users, so that lists have several pages. */
export const crowd = firstNames
  .split(' ')
  .flatMap((first) => lastNames.split(' ').map((last) => `${first} ${last}`))
  .slice(0, 205)
  .map((name) => [name.toLowerCase().replace(' ', '.'), name]);

export const harbor = '0199aa00-0000-7000-8000-00000000000a';

/** Organizations: id, name, slug. */
export const organizations = [
  [harbor, 'Harbor Analytics', 'harbor-analytics'],
  ['0199aa00-0000-7000-8000-00000000000b', 'Lighthouse Research', 'lighthouse-research'],
  ['0199aa00-0000-7000-8000-00000000000c', 'Tidewater Logistics', 'tidewater-logistics'],
  ['0199aa00-0000-7000-8000-00000000000d', 'מעבדת הים התיכון', 'mediterranean-lab'],
  [
    '0199aa00-0000-7000-8000-00000000000e',
    'Donaudampfschifffahrtsgesellschaft für Binnenschifffahrt und Häfen',
    'donaudampfschifffahrtsgesellschaft',
  ].map((text) => text.slice(0, 64)),
];
