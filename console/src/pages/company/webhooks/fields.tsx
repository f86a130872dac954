import { useActing } from '../../../data/acting.ts'
import { Choice } from '../../../ui/choice.tsx'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import type { Form } from '../../../ui/form.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { useRights } from '../rights.ts'
import { Kinds } from './kinds.tsx'
import { text as all } from './text.ts'
import type { WebhookValues } from './values.ts'

const text = all.form

/** The fields of a webhook, of a new one and of one that exists. */
export function WebhookFields({ of: form }: { of: Form<WebhookValues> }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { sight, ordered } = form.values
  const dependencies = [companyApi, options.onBehalfOf]
  return (
    <>
      <TextField label={text.name} {...form.input('name')} />
      <TextField label={text.url} hint={text.urlHint} inputmode="url" {...form.input('url')} spellcheck={false} />
      <Kinds of={form} />
      <SearchSelect
        label={text.campaign}
        words={text.campaigns}
        load={(query, signal) => companyApi.campaigns.list(query, { ...options, signal })}
        dependencies={dependencies}
        {...form.select('campaign_id')}
      />
      <Choice label={text.sight} value={sight} options={text.sightOptions} onChange={form.set('sight')} />
      {sight === 'USER' && (
        <SearchSelect
          label={text.user}
          words={text.users}
          load={(query, signal) => companyApi.users.list(query, { ...options, signal })}
          dependencies={dependencies}
          {...form.select('user_id')}
        />
      )}
      <Checkbox label={text.ordered} hint={text.orderedHint} checked={ordered} onChange={form.set('ordered')} />
    </>
  )
}
