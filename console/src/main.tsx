import './styles/index.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { followSession } from './data/session.ts'
import { followCodes } from './pages/sign-in/code.ts'
import { followLinks } from './router.ts'
import { startTheme } from './theme.ts'

startTheme()
followLinks()
followSession()
followCodes()
render(<App />, document.getElementById('app') as HTMLElement)
