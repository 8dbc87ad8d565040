import { Glob, type BunPlugin } from 'bun'
import { basename, dirname, join, relative, resolve } from 'node:path'

type Script = readonly [path: string, bytes: Uint8Array<ArrayBuffer>]

/** With the package that it exports; other scripts import it only when they need it. */
const bundled = 'js/lib/tus.js'

const composer = ['js/elements/post-composer.js', 'js/elements/media-picker.js']

/** Scripts without state that the composer contains: its first visit would get a small file more for each. */
const composerParts = [
  'autosave',
  'comment-field',
  'composer-accounts',
  'composer-fields',
  'link-field',
  'media-tile',
  'own-texts',
  'plain-click',
  'post-images',
  'stored-input',
  'text-length',
  'thread-images',
  'thread-limits',
  'tile-uploads',
  'wall-time',
  'youtube-fields',
]

/** Small, without state, and needed on every page by these two alone. */
const errorScripts = ['js/app.js', 'js/elements/form-problem.js']

/** Contains `field-errors`, which is left out of the patterns of what isn't contained. */
const inliningErrors: BunPlugin = {
  name: 'inline-errors',
  setup: (building) => {
    building.onResolve({ filter: /\/field-errors\.js$/ }, ({ path, importer }) => ({
      path: resolve(dirname(importer), path),
    }))
  },
}

/** `folder` is that of the scripts that contain them, from where what isn't contained is imported. */
const inlining = (names: readonly string[], folder: string): BunPlugin => ({
  name: 'inline',
  setup: (building) => {
    building.onResolve({ filter: /^\./ }, ({ path, importer }) => {
      if (names.includes(basename(path, '.js'))) return undefined
      const from = relative(folder, resolve(dirname(importer), path))
      return { path: from.startsWith('.') ? from : `./${from}`, external: true }
    })
  },
})

/**
 * Every script, minified. `js/app.js` contains the scripts beside it that it imports, since small files cost more in
 * headers than in content; every other script is a file of its own. @throws {AggregateError} for a syntax error
 */
export async function minifyScripts(folder: string): Promise<Script[]> {
  const withErrors = await build(folder, errorScripts, ['./elements/*', './lib/*', '../lib/*'], [inliningErrors])
  const alone = [...errorScripts, bundled, ...composer]
  const rest = [...new Glob('**/*.js').scanSync(folder)].filter((path) => !alone.includes(path))
  const ofComposer = await build(folder, composer, [], [inlining(composerParts, join(folder, 'js/elements'))])
  return [...withErrors, ...ofComposer, ...(await build(folder, rest, ['*'])), ...(await build(folder, [bundled], []))]
}

async function build(
  folder: string,
  paths: string[],
  external: string[],
  plugins: BunPlugin[] = [],
): Promise<Script[]> {
  const { outputs } = await Bun.build({
    entrypoints: paths.map((path) => join(folder, path)),
    root: folder,
    external,
    plugins,
    target: 'browser',
    minify: true,
    naming: '[dir]/[name].[ext]',
  })
  return Promise.all(
    outputs.map(async (output) => [join(output.path), new Uint8Array(await output.arrayBuffer())] as const),
  )
}
