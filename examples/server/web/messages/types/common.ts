// Written by `npm run messages`.
export interface CommonMessages {
  'common.justNow': null;
  'common.dayAndTime': { day: 'text'; time: 'text' };
  'common.atTime': { time: 'text' };
  'common.onDayAtTime': { day: 'text'; time: 'text' };
  'common.cancel': null;
  'common.close': null;
  'common.save': null;
  'common.retry': null;
  'common.loading': null;
}
