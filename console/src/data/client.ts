import { Guildhall } from '@guildhall/client'

/** The client of the page: its session is a cookie that no script can read. */
export const gh: Guildhall = new Guildhall({ baseUrl: '', session: true })
