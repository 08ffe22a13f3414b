/** SECOND_FACTOR: who has to enrol an authenticator app. */
export const secondFactorPolicies = ['optional', 'administrators', 'everybody'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]

/** @param user whether they hold an enabled role of sort 1 */
export const demandsFactor = (policy: SecondFactorPolicy, { administrator }: { administrator: boolean }): boolean =>
  policy === 'everybody' || (policy === 'administrators' && administrator)
