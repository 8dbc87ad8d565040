import { watch } from 'node:fs'
import { join } from 'node:path'
import { encodeAsset, preferredEncoding } from './assets/encode.ts'
import { address, loadAssets } from './assets/files.ts'

const root = join(import.meta.dir, '../../public')

let assets = loadAssets(root)

/**
 * The URL of a file of `public/`, such as `icons.svg`, `css/app.css` or `js/elements/toast-region.js`. It contains a hash
 * of the content, so it can be cached forever.
 * @throws for a file that doesn't exist
 */
export function assetUrl(path: string): string {
  const asset = assets.get(path)
  if (!asset) throw new Error(`There is no asset ${path} under public/`)
  return address(path, asset)
}

/** Serves an asset; undefined when no asset has this URL. */
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

/** Reloads changed files of `public/`: for development. */
export function watchAssets(): void {
  let settled: Timer | undefined
  watch(root, { recursive: true }, () => {
    clearTimeout(settled)
    settled = setTimeout(() => (assets = loadAssets(root)), 50)
  }).unref()
}
