/** The number of days for which something that was archived can be restored. */
export const RESTORABLE_DAYS = 30

/** The words of archived resources, which several pages list. */
export const text = {
  archived: 'archived',
  until: (time: string) => `can be restored until ${time}`,
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
  restored: (name: string) => `${name} is restored.`,
}
