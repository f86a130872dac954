// Installs the peers. Directus has a part that is compiled for one version of Node, and that part does not work with the Node of the service yet: Directus
// gets a Node of its own.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const folder = import.meta.dirname
const node = join(folder, 'node_modules', `node-linux-${process.arch}`)
const env = { ...process.env, PATH: [join(node, 'bin'), process.env.PATH].join(delimiter), npm_config_nodedir: node }
const run = (...args) => execFileSync('npm', [...args, '--loglevel=error'], { cwd: folder, stdio: 'inherit', env })

if (!existsSync(join(folder, 'node_modules/isolated-vm/out/isolated_vm.node'))) {
  console.error('Installing Directus and PostGraphile, and compiling a part of Directus. This takes minutes, once.')
  run('ci', '--ignore-scripts')
  run('rebuild', 'isolated-vm')
}
