import type { CampaignHandle, CampaignOverview, Company, CompanyHandle, Me, Member, User, UserHandle } from '@guildhall/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Live } from './live.ts'

/** The company and the user that the page acts for. Players act for themselves; developers choose. */
export interface Acting {
  me: Me
  company: Company
  user: User
  /** The operations of the company. */
  companyApi: CompanyHandle
  /** The operations of the user. */
  api: UserHandle
  /** The path of the console below which everything of this company and user is. */
  path: string
}

/** The campaign that the page shows. */
export interface CampaignScope {
  campaign: CampaignOverview
  members: Member[]
  api: CampaignHandle
  /** True for storytellers of the campaign and ADMINs, who see what is hidden from players. */
  isStoryteller: boolean
  /** The path of the console below which everything of this campaign is. */
  path: string
  reload: () => Promise<void>
}

export const ActingContext = createContext<Acting | undefined>(undefined)
export const CampaignContext = createContext<CampaignScope | undefined>(undefined)
export const LiveContext = createContext<Live | undefined>(undefined)

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`This page needs ${name}. Check its route.`)
  return value
}

/** The company and the user of the page. Only pages below them may ask. */
export const useActing = (): Acting => required(useContext(ActingContext), 'a company and a user')

/** The campaign of the page. Only pages below one may ask. */
export const useCampaign = (): CampaignScope => required(useContext(CampaignContext), 'a campaign')
