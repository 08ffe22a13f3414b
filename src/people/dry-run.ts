/** Thrown by the transaction of a dry run, which makes the change to find out its effect, so that it is rolled back. */
export class DryRunRollback extends Error {}
