import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Glob } from 'bun'
import { appStylesheet, minifyCss } from './css.ts'

export interface Asset {
  /** Hash of the content. It is part of the URL, so browsers can cache the file forever. */
  hash: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** By path, such as `icons.svg`, `css/app.css` or `css/screens/posts.css`. */
export type Assets = Map<string, Asset>

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
}

export function loadAssets(root: string): Assets {
  const assets: Assets = new Map()
  for (const path of new Glob('**/*.{js,svg,woff2}').scanSync(root)) put(assets, path, readFileSync(join(root, path)))
  for (const [path, urls] of Object.entries(vendored))
    put(assets, path, Buffer.from(urls.map((url) => readFileSync(new URL(url), 'utf8')).join(';\n')))
  shareHash(assets, 'js/')
  putCss(assets, 'css/app.css', appStylesheet(join(root, 'css')))
  for (const path of new Glob('css/screens/*.css').scanSync(root)) {
    putCss(assets, path, readFileSync(join(root, path), 'utf8'))
  }
  return assets
}

export const address = (path: string, asset: Asset): string => `/assets/${asset.hash}/${path}`

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

/** Modules import each other by relative paths, so one hash, that of all of them, stands before each. */
function shareHash(assets: Assets, folder: string): void {
  const members = [...assets].filter(([path]) => path.startsWith(folder)).map(([, asset]) => asset)
  const hash = digest(members.map((asset) => asset.hash).sort())
  for (const member of members) member.hash = hash
}

function digest(parts: (Uint8Array | string)[]): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const part of parts) hasher.update(part)
  return hasher.digest('hex').slice(0, 12)
}
