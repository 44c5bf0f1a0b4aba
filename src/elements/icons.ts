import { icon } from './dom.ts';

/** A person with a key. */
export const passkeyIcon = () =>
  icon(
    'M5.5 8a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0',
    'M2.5 20.5a8 8 0 0 1 11-7',
    'M16 15.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
    'M18.5 18v4.5M18.5 20.5h2',
  );

export const infoIcon = () => icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0', 'M12 11v5', 'M12 8h.01');

export const attentionIcon = () => icon('M12 3.5 2.5 20h19z', 'M12 10v4', 'M12 17h.01');
