/** The version of this package, which a test compares with package.json. */
export const VERSION: string = '0.1.0'
