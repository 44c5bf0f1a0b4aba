/** Whether statements have the service's time limit of four seconds. Only tests of this limit set `enforced`. */
export const statementLimit = { enforced: false };
