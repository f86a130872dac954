import type { Holder } from './holder.ts'

/** The bytes of a process, of one tenant and of one part of a tenant. */
interface Budget {
  total: number
  perTenant: number
  perPart: number
}

interface Tenant {
  bytes: number
  parts: Map<string, number>
}

/**
 * A budget of bytes, of which one tenant can only take a part. A tenant who holds nothing gets what it asks for, even if others have used up the budget: so the budget is
 * exceeded by no more than one request of each tenant.
 */
export class SharedMemory {
  readonly #budget: Budget
  readonly #tenants = new Map<string, Tenant>()
  #bytes = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** True if a holder can take no more of these bytes. */
  refuses([tenant, part]: Holder, bytes: number): boolean {
    const own = this.#tenants.get(tenant)
    if (!own) return false
    const { total, perTenant, perPart } = this.#budget
    return (own.parts.get(part) ?? 0) + bytes > perPart || own.bytes + bytes > perTenant || this.#bytes + bytes > total
  }

  take([tenant, part]: Holder, bytes: number): void {
    const own = this.#tenants.get(tenant) ?? { bytes: 0, parts: new Map() }
    this.#tenants.set(tenant, own)
    own.parts.set(part, (own.parts.get(part) ?? 0) + bytes)
    own.bytes += bytes
    this.#bytes += bytes
  }

  release([tenant, part]: Holder, bytes: number): void {
    const own = this.#tenants.get(tenant)
    if (!own) return
    const left = (own.parts.get(part) ?? 0) - bytes
    if (left > 0) own.parts.set(part, left)
    else own.parts.delete(part)
    own.bytes -= bytes
    this.#bytes -= bytes
    if (own.parts.size === 0) this.#tenants.delete(tenant)
  }
}
