/**
 * The holder of something that a process has a fixed number of: a tenant, and then what divides the tenant's share. A tenant is a developer, whose
 * companies divide the share: anybody with a key can create companies, but only an operator creates developers.
 */
export type Holder = readonly [tenant: string, part: string]
