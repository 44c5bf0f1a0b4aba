/** The tests that run the built command, the built server or the built package. */
export const needsBuild = /^tests\/((cli\/commands|operation|package|browser)\/|faults\/signals)/;
