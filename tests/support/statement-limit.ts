/** Whether statements have the service's limit of four seconds. Only the tests that are about the limit enforce it. */
export const statementLimit = { enforced: false };
