const STORED_AS = 'guildhall-proved'
/** More rolls than this are not remembered: the oldest ones are forgotten. */
const MAX_REMEMBERED = 500

function stored(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '[]')
    return Array.isArray(value) ? value.map(String) : []
  } catch {
    return []
  }
}

/** True if this browser has verified a roll. The service is never asked: its word would prove nothing. */
export const isProved = (rollId: string): boolean => stored().includes(rollId)

/** Remembers that this browser has verified a roll. */
export function noteProved(rollId: string): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify([...stored().filter((id) => id !== rollId), rollId].slice(-MAX_REMEMBERED)))
  } catch {
    // Without storage, the seal stays an outline.
  }
}
