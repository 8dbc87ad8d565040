import { Glob } from 'bun'
import { join } from 'node:path'

/** Every script, minified and still a file of its own. @throws {AggregateError} for a syntax error */
export async function minifyScripts(
  folder: string,
): Promise<(readonly [path: string, bytes: Uint8Array<ArrayBuffer>])[]> {
  const { outputs } = await Bun.build({
    entrypoints: [...new Glob('**/*.js').scanSync(folder)].map((path) => join(folder, path)),
    root: folder,
    external: ['*'],
    target: 'browser',
    minify: true,
    naming: '[dir]/[name].[ext]',
  })
  return Promise.all(
    outputs.map(async (output) => [join(output.path), new Uint8Array(await output.arrayBuffer())] as const),
  )
}
