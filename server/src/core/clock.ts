/** The time is passed in, so that a test can be an hour later. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
