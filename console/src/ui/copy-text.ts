/** Copies a text. Returns false without permission, and on pages over plain HTTP, where browsers have no clipboard. */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    return false
  }
}
