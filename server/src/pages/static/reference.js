// Starts Scalar with the OpenAPI document, adapted to this page: no optional parameter filled in, and the ids that the reader keeps for this tab. /openapi.json stays as it is for other tools.
// Everything that the reader types is kept in sessionStorage, which ends with the tab. Scalar would keep keys in localStorage.
Object.defineProperty(window, 'localStorage', { value: window.sessionStorage, configurable: true })

const IDS_KEY = 'guildhall-ids'
const { openapi: documentUrl } = document.currentScript.dataset
const form = document.querySelector('.ids')
const loading = document.querySelector('.loading')

const readIds = () => JSON.parse(sessionStorage.getItem(IDS_KEY) ?? '{}')
const addressPart = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** An admin's key is the same header as any other: one field of the page serves both. */
const SCHEMES = { OperatorKey: 'ApiKey', OperatorBearer: 'ApiKeyBearer' }

function adapt(source, ids) {
  const api = structuredClone(source)
  const resolve = (node) => {
    let found = node
    while (found?.$ref)
      found = found.$ref
        .slice(2)
        .split('/')
        .reduce((parent, name) => parent[name.replaceAll('~1', '/')], api)
    return found
  }
  /** Scalar offers a list of the examples of a schema instead of a field to type in, and calls an empty time wrong. */
  const typedIn = (schema) => {
    const { examples, format, ...rest } = resolve(schema) ?? {}
    return format === 'date-time' || format === undefined ? rest : { ...rest, format }
  }
  const parameter = (reference) => {
    const { examples, example, ...one } = resolve(reference)
    // In a sample call, a name says what belongs there. An empty value would leave two slashes.
    if (one.in === 'path') return { ...one, schema: typedIn(one.schema), example: ids[one.name] ?? one.name.toUpperCase() }
    if (one.required) return resolve(reference)
    const schema = typedIn(one.schema)
    // Scalar would send every optional parameter with its default, or the first of its values. An empty example comes before those.
    return { ...one, schema, ...(('default' in schema || 'enum' in schema) && { example: '' }) }
  }
  const fillIn = (value) => {
    if (Array.isArray(value)) return value.map(fillIn)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, ids[name] && inner ? ids[name] : fillIn(inner)]))
  }
  const bodyOf = (media) => ({
    ...media,
    examples: Object.fromEntries(
      Object.entries(media.examples ?? {}).map(([name, reference]) => {
        const sample = resolve(reference)
        return [name, { ...sample, value: fillIn(sample.value) }]
      }),
    ),
  })
  for (const item of Object.values(api.paths)) {
    for (const operation of Object.values(item)) {
      if (operation?.parameters) operation.parameters = operation.parameters.map(parameter)
      if (operation?.requestBody) {
        const body = resolve(operation.requestBody)
        const content = Object.fromEntries(Object.entries(body.content).map(([type, media]) => [type, bodyOf(media)]))
        operation.requestBody = { ...body, content }
      }
      if (operation?.security) {
        operation.security = operation.security.map((needs) =>
          Object.fromEntries(Object.keys(needs).map((name) => [SCHEMES[name] ?? name, []])),
        )
      }
    }
    if (item.parameters) item.parameters = item.parameters.map(parameter)
  }
  for (const name of Object.keys(SCHEMES)) delete api.components.securitySchemes[name]
  return { ...api, servers: [{ url: location.origin }] }
}

const configuration = (api) => ({
  content: api,
  slug: 'guildhall',
  persistAuth: true,
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  documentDownloadType: 'none',
  authentication: { preferredSecurityScheme: 'ApiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true,
    clojure: true,
    csharp: true,
    dart: true,
    fsharp: true,
    java: true,
    kotlin: true,
    objc: true,
    ocaml: true,
    php: true,
    powershell: true,
    r: true,
    ruby: true,
    rust: true,
    swift: true,
    go: true,
    http: true,
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    node: ['axios', 'ofetch', 'undici'],
    python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
    shell: ['wget', 'httpie'],
  },
  localization: { translations: { clientLibraries: { heading: 'Code samples' } } },
  generateTagSlug: ({ name }) => addressPart(name ?? ''),
  generateOperationSlug: ({ operationId, path, method }) => operationId ?? `${method}${path}`,
})

/** Says that the reference is being made, until there is something to read: that takes a phone some seconds. */
function removeHintWhenRendered() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('#reference h1')) return
    observer.disconnect()
    loading.remove()
  })
  observer.observe(document.querySelector('#reference'), { childList: true, subtree: true })
}

async function start() {
  removeHintWhenRendered()
  const source = await (await fetch(documentUrl)).json()
  const ids = readIds()
  for (const input of form.elements) input.value = ids[input.name] ?? ''
  const reference = window.Scalar.createApiReference('#reference', configuration(adapt(source, ids)))

  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('change', () => {
    const typed = [...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value)
    sessionStorage.setItem(IDS_KEY, JSON.stringify(Object.fromEntries(typed)))
    reference.updateConfiguration(configuration(adapt(source, readIds())))
  })
}

// Scalar's script is loaded by then.
document.addEventListener('DOMContentLoaded', () =>
  start().catch((error) => {
    loading.textContent = `The reference cannot be shown: ${error.message}. Reload the page to try again.`
  }),
)
