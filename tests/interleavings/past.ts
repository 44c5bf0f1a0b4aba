/** A schedule that once had a wrong outcome. */
export interface PastFailure {
  operations: string;
  schedule: string;
  /** What the service now does. */
  fixed: string;
}

const lastAdmin = 'refuses the second change, because it would leave an organization without an active admin';

export const past: readonly PastFailure[] = [
  { operations: 'adm leaves | sam disables bob', schedule: 'A A A B B B A A A', fixed: lastAdmin },
  { operations: 'bob leaves | sue disables adm', schedule: 'A A A B B B A A A', fixed: lastAdmin },
  { operations: 'adm leaves | bob deletes the account', schedule: 'A A A B B B A A A', fixed: lastAdmin },
  {
    operations: 'kim completes the recovery | kim leaves the recovery',
    schedule: 'A A A A A B B A',
    fixed:
      'keeps the recovery link if the recovery session has ended, because no event would record the deletion',
  },
  {
    operations: 'kim completes the recovery | kim leaves the recovery',
    schedule: 'A A A A A B B&A A A A A',
    fixed: 'also keeps the link if the recovery session ends at the same moment',
  },
  {
    operations: 'sue renames ann | sam invites ann as admin',
    schedule: 'A A A A A B B A B B B B',
    fixed: 'refuses an invitation for a username that the user has given up during the request',
  },
  {
    operations: 'ops uses the impersonation link | ops ends all sessions',
    schedule: 'A A&B B B',
    fixed: 'also ends the session that the link opens at the same moment',
  },
];
