import { Glob } from 'bun'
import { join } from 'node:path'

/**
 * The scripts that pages refer to, minified, each with what only it imports; what several import is in files of its own.
 *
 * @throws {AggregateError} for a syntax error
 */
export async function bundleScripts(folder: string): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const root = join(folder, 'js')
  const elements = [...new Glob('elements/*.js').scanSync(root)].sort()
  const { outputs } = await Bun.build({
    entrypoints: ['app.js', 'early-input.js', ...elements].map((name) => join(root, name)),
    root,
    target: 'browser',
    minify: true,
    splitting: true,
    naming: { entry: '[dir]/[name].[ext]', chunk: 'shared-[hash].[ext]' },
  })
  return new Map(
    await Promise.all(
      outputs.map(async (output) => [join('js', output.path), new Uint8Array(await output.arrayBuffer())] as const),
    ),
  )
}
