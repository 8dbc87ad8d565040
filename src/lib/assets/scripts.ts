import { Glob } from 'bun'
import { join } from 'node:path'

type Script = readonly [path: string, bytes: Uint8Array<ArrayBuffer>]

/** With the package that it exports; other scripts import it only when they need it. */
const bundled = 'js/lib/tus.js'

/**
 * Every script, minified. `js/app.js` contains the scripts beside it that it imports, since small files cost more in
 * headers than in content; every other script is a file of its own. @throws {AggregateError} for a syntax error
 */
export async function minifyScripts(folder: string): Promise<Script[]> {
  const app = await build(folder, ['js/app.js'], ['./elements/*', './lib/*', '../lib/*'])
  const rest = [...new Glob('**/*.js').scanSync(folder)].filter((path) => path !== 'js/app.js' && path !== bundled)
  return [...app, ...(await build(folder, rest, ['*'])), ...(await build(folder, [bundled], []))]
}

async function build(folder: string, paths: string[], external: string[]): Promise<Script[]> {
  const { outputs } = await Bun.build({
    entrypoints: paths.map((path) => join(folder, path)),
    root: folder,
    external,
    target: 'browser',
    minify: true,
    naming: '[dir]/[name].[ext]',
  })
  return Promise.all(
    outputs.map(async (output) => [join(output.path), new Uint8Array(await output.arrayBuffer())] as const),
  )
}
