// Written by `npm run messages`.
export interface ErrorsMessages {
  'errors.brokenTitle': null;
  'errors.waitThenTry': null;
  'errors.tryAgainIn': { duration: 'text' };
  'errors.seconds': { count: 'number' };
  'errors.minutes': { count: 'number' };
  'errors.hours': { count: 'number' };
  'errors.tooManyTitle': null;
  'errors.unavailableTitle': null;
  'errors.unsupportedTitle': null;
  'errors.unsupportedBody': null;
  'errors.canceledTitle': null;
  'errors.canceledBody': null;
  'errors.failedTitle': null;
  'errors.failedBody': null;
  'errors.unknownPasskeyTitle': null;
  'errors.unknownPasskeyBody': null;
  'errors.passwordTooShort': null;
  'errors.passwordMinimum': { minimum: 'text' };
  'errors.passwordTooLong': null;
  'errors.passwordMalformed': null;
  'errors.passwordCommon': null;
  'errors.passwordBreached': null;
  'errors.passwordUnusable': null;
  'errors.unreachable': null;
}
