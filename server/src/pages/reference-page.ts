import { headOf, NONCE } from './layout.ts'

interface Assets {
  /** The address of Scalar's script. */
  scalar: string
  urlOf(name: string): string
}

/** The ids that the paths of most operations need. The page keeps them for the tab and fills them in everywhere. */
const IDS = ['company', 'user', 'campaign', 'character']

/** The page of the API reference. static/reference.js is loaded first, because it prepares the storage that Scalar looks up when it is loaded, and then starts Scalar. */
export function referencePage({ scalar, urlOf }: Assets): string {
  const fields = IDS.map(
    (name) => `<label>${name}_id <input name="${name}_id" autocomplete="off" spellcheck="false" maxlength="36" placeholder="none"></label>`,
  )
  const title = 'API reference · Guildhall'
  const description = 'Every operation of the Guildhall API, with its fields, statuses and errors'
  return `${headOf({ title, description, icon: urlOf('favicon.svg'), css: urlOf('reference.css') })}
<meta property="csp-nonce" content="${NONCE}">
<script nonce="${NONCE}" src="${urlOf('reference.js')}" data-openapi="${urlOf('openapi.json')}" defer></script>
<script nonce="${NONCE}" src="${scalar}" defer></script>
</head>
<body>
<header class="bar">
<a class="brand" href="/docs">Guildhall</a>
<nav aria-label="Documentation"><a href="/docs">Docs</a><a href="/docs/errors">Errors</a></nav>
<form class="ids" aria-label="Ids for all operations"><span title="Filled in for every operation, and kept until you close this tab">Your ids</span>${fields.join('')}</form>
</header>
<p class="loading" role="status">Loading the reference …</p>
<noscript><p class="loading">The reference needs JavaScript. <a href="/openapi.json">openapi.json</a> says the same for programs, and <a href="/docs">the guides</a> need none.</p></noscript>
<div id="reference"></div>
</body>
</html>
`
}
