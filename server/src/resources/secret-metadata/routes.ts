import { type Operation, operation, resource } from '../../http/operation.ts'
import { below, type Path, type USER } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { character } from '../characters/path-resource.ts'
import { mayDefineOnCampaign } from '../trackers/rules.ts'
import { getSecretMetadata, updateSecretMetadata } from './queries.ts'
import { SecretMetadata, SecretMetadataPatch } from './schema.ts'

/** A resource that has secret metadata. */
interface Owner {
  /** The first part of the operation ids. */
  id: string
  /** The resource in summaries. */
  noun: 'campaign' | 'character'
  path: Path<`${typeof USER.template}/${string}`, readonly (typeof character.path.through)[number][]>
}

const OWNERS: Owner[] = [
  { id: 'campaignSecretMetadata', noun: 'campaign', path: below(campaign.path, 'secret-metadata') },
  { id: 'characterSecretMetadata', noun: 'character', path: below(character.path, 'secret-metadata') },
]

const needs = { key: 'USER', may: mayDefineOnCampaign } as const

const operationsFor = ({ id, noun, path }: Owner): Operation[] => [
  operation({
    id: `${id}.get`,
    method: 'GET',
    path,
    needs,
    summary: `Get the secret metadata of a ${noun}`,
    description: `Data of your application that no player may see. Nothing of it shows on the ${noun}: not in its version, its date or its events. Empty until something is written.`,
    reply: [200, SecretMetadata],
    run: ({ db, ...context }) => getSecretMetadata(db, context),
  }),
  operation({
    id: `${id}.update`,
    method: 'PATCH',
    path,
    needs,
    summary: `Change the secret metadata of a ${noun}`,
    description: 'Texts that the request does not name stay; null removes one.',
    body: SecretMetadataPatch,
    reply: [200, SecretMetadata],
    emits: ['secret_metadata.updated'],
    run: ({ db, body, params: _, ...context }) => updateSecretMetadata(db, context, body),
  }),
]

export const secretMetadata = resource(
  {
    'Campaign secret metadata': 'Data of your application on a campaign, for its storytellers only',
    'Character secret metadata': 'Data of your application on a character, for the storytellers of its campaign only',
  },
  OWNERS.flatMap(operationsFor),
)
