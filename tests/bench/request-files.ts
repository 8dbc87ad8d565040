import { AsyncLocalStorage } from 'node:async_hooks'
import ts from 'typescript'

// Counts the files of `src` and `views` in which a function runs during one request: what a reader has to know of to follow
// it. `LIST=1` prints their names.

/** The files of the running request; work in the background has none. */
const running = new AsyncLocalStorage<Set<string>>()
Object.assign(globalThis, { atriumRan: (file: string) => running.getStore()?.add(file) })

const root = `${process.cwd()}/`

Bun.plugin({
  name: 'which files run',
  setup: (build) => {
    build.onLoad({ filter: /\/(src|views)\/.*\.tsx?$/ }, async ({ path }) => ({
      contents: instrument(path, await Bun.file(path).text()),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }))
  },
})

/** The code with a call at the beginning of every function. */
function instrument(path: string, code: string): string {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const call = `atriumRan(${JSON.stringify(path.replace(root, ''))})`
  const inserts: [at: number, text: string][] = []
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined
    if (body && ts.isBlock(body)) inserts.push([body.getStart() + 1, `${call};`])
    else if (body) inserts.push([body.getStart(), `(${call},`], [body.getEnd(), ')'])
    ts.forEachChild(node, visit)
  }
  visit(source)
  let text = code
  for (const [at, inserted] of inserts.toSorted(([one], [other]) => other - one))
    text = text.slice(0, at) + inserted + text.slice(at)
  return text
}

const { openWorld } = await import('../support/world.ts')
const world = await openWorld()
const { cookie } = await world.ada.signIn()
const { brands: brandId, accounts } = world.ada.things
const browser = { cookie, accept: 'text/html' }
const post = { brandId, provider: 'sandbox', text: 'Hello', target: { connectionId: accounts }, status: 'scheduled' }
const scheduledAt = () => new Date(Date.now() + 3_600_000).toISOString()

const requests = [
  {
    name: 'GET /workspace/posts',
    most: 79,
    send: () => world.stranger.fetch('GET /workspace/posts', undefined, browser),
  },
  {
    name: 'POST /api/posts',
    most: 44,
    send: () => world.ada.fetch('POST /api/posts', { ...post, scheduledAt: scheduledAt() }),
  },
  { name: 'GET /api/posts by key', most: 39, send: () => world.key.fetch('GET /api/posts') },
]

let isMet = true
for (const { name, most, send } of requests) {
  // Caches are warm.
  await (await send()).text()
  const ran = new Set<string>()
  const response = await running.run(ran, async () => {
    const sent = await send()
    await sent.text()
    return sent
  })
  const files = [...ran].toSorted()
  const byFolder = Map.groupBy(files, (file) => file.split('/').slice(0, 2).join('/'))
  const folders = [...byFolder].map(([folder, { length }]) => `${length} ${folder}`)
  console.log(`${name}: ${response.status}, ${files.length} files (at most ${most}): ${folders.join(', ')}`)
  if (process.env['LIST']) console.log(`  ${files.join('\n  ')}`)
  isMet &&= response.ok && files.length <= most
}
await world.close()
process.exit(isMet ? 0 : 1)
