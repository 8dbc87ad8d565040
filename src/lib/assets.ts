import { Glob } from 'bun'
import { watch, readFileSync } from 'node:fs'
import { join, extname } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { appStylesheet, minifyCss, siteStylesheet } from './assets/css.ts'
import { minifyScripts } from './assets/scripts.ts'
import { composeWorker } from './assets/worker.ts'

interface Asset {
  hash: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

type Assets = Map<string, Asset>

/** Served from their packages, so that only package.json has the versions. */
const vendored = {
  // In one file, since htmx would handle what comes before the extension without its checks.
  'vendor/htmx.js': [
    import.meta.resolve('htmx.org/dist/htmx.min.js'),
    import.meta.resolve('htmx.org/dist/ext/hx-csp.min.js'),
  ],
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

const root = join(import.meta.dir, '../../public')

let assets = await loadAssets(root)

/** Contains a hash of the content, so it can be cached forever. @throws for a file that doesn't exist */
export function assetUrl(path: string): string {
  const asset = assets.get(path)
  if (!asset) throw new Error(`There is no asset ${path} under public/`)
  return address(path, asset)
}

export function serveAsset(request: Request): Response | undefined {
  const [, hash, path = ''] = /^\/assets\/(\w+)\/(.+)$/.exec(new URL(request.url).pathname) ?? []
  const asset = assets.get(path)
  if (asset?.hash !== hash || !asset) return undefined
  const encoding = preferredEncoding(asset, request.headers.get('accept-encoding'))
  return new Response(encoding ? encodeAsset(asset, encoding) : asset.bytes, {
    headers: {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
  })
}

/** The names of the files of a folder of `public/`. */
const namesIn = (folder: string): string[] =>
  [...assets.keys()].filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length))

/** Requested at the root, such as `favicon.ico`. */
export const rootFiles = (): string[] => namesIn('root/')

/** The scripts of the custom elements in this markup. */
export const elementScripts = (markup: string): string[] =>
  namesIn('js/elements/')
    .filter((name) => markup.includes(`<${name.replace(/\.js$/, '')}`))
    .map((name) => assetUrl(`js/elements/${name}`))

export function serveRootFile(name: string): Response | undefined {
  const asset = assets.get(`root/${name}`)
  return (
    asset &&
    new Response(asset.bytes, {
      headers: {
        'content-type': asset.type,
        'cache-control': name.endsWith('.js') ? 'no-cache' : 'public, max-age=86400',
      },
    })
  )
}

export function watchAssets(): void {
  let settled: Timer | undefined
  watch(root, { recursive: true }, () => {
    clearTimeout(settled)
    settled = setTimeout(() => void reload(), 50)
  }).unref()
}

async function reload(): Promise<void> {
  assets = await loadAssets(root)
}

async function loadAssets(folder: string): Promise<Assets> {
  const loaded: Assets = new Map()
  for (const [path, bytes] of await minifyScripts(folder)) put(loaded, path, bytes)
  for (const path of new Glob('**/*.{svg,woff2,ico,png,txt,webmanifest}').scanSync(folder))
    put(loaded, path, readFileSync(join(folder, path)))
  for (const [path, urls] of Object.entries(vendored))
    put(loaded, path, Buffer.from(urls.map((url) => readFileSync(new URL(url), 'utf8')).join(';\n')))
  shareHash(loaded, 'js/')
  putCss(loaded, 'css/app.css', appStylesheet(join(folder, 'css')))
  putCss(loaded, 'css/site.css', siteStylesheet(join(folder, 'css')))
  for (const path of new Glob('css/screens/*.css').scanSync(folder)) {
    putCss(loaded, path, readFileSync(join(folder, path), 'utf8'))
  }
  putWorker(loaded, folder)
  return loaded
}

function address(path: string, asset: Asset): string {
  return `/assets/${asset.hash}/${path}`
}

function put(into: Assets, path: string, bytes: Uint8Array<ArrayBuffer>): void {
  const type = types[extname(path)] ?? 'application/octet-stream'
  into.set(path, { hash: digest([bytes]), type, bytes })
}

function putCss(into: Assets, path: string, css: string): void {
  const linked = css.replace(/\.\.\/(fonts\/[\w.-]+)/g, (_, font: string) => {
    const asset = into.get(font)
    if (!asset) throw new Error(`${path} refers to ${font}, which doesn’t exist`)
    return address(font, asset)
  })
  put(into, path, minifyCss(path, linked))
}

/** Another one for each release, so that browsers replace it. */
function putWorker(into: Assets, folder: string): void {
  const release = digest([...into].map(([path, { hash }]) => `${path} ${hash}`).sort())
  const script = (path: string) => Buffer.from(into.get(path)?.bytes ?? []).toString()
  put(into, 'root/service-worker.js', Buffer.from(composeWorker(folder, release, script)))
}

/** Modules import each other by relative paths, so one hash, that of all of them, stands before each. */
function shareHash(all: Assets, folder: string): void {
  const members = [...all].filter(([path]) => path.startsWith(folder)).map(([, asset]) => asset)
  const hash = digest(members.map((asset) => asset.hash).sort())
  for (const member of members) member.hash = hash
}

function digest(parts: (Uint8Array | string)[]): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const part of parts) hasher.update(part)
  return hasher.digest('hex').slice(0, 12)
}

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }

const encoders = {
  br: (bytes: Uint8Array) => brotliCompressSync(bytes, quality),
  gzip: (bytes: Uint8Array) => gzipSync(bytes),
}

type Encoding = keyof typeof encoders

const cache = { br: new WeakMap<Asset, Uint8Array<ArrayBuffer>>(), gzip: new WeakMap<Asset, Uint8Array<ArrayBuffer>>() }

function preferredEncoding(asset: Asset, accepted: string | null): Encoding | undefined {
  if (asset.type === 'font/woff2') return undefined
  return (['br', 'gzip'] as const).find((encoding) => accepted?.includes(encoding))
}

function encodeAsset(asset: Asset, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const bytes = cache[encoding].get(asset) ?? encoders[encoding](asset.bytes)
  cache[encoding].set(asset, bytes)
  return bytes
}
