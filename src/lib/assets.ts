import { watch } from 'node:fs'
import { join } from 'node:path'
import { encodeAsset, preferredEncoding } from './assets/encode.ts'
import { address, loadAssets } from './assets/files.ts'

const root = join(import.meta.dir, '../../public')

let assets = loadAssets(root)

/**
 * The address of a file of `public/`, such as `icons.svg`, `css/app.css` or `js/elements/toast-region.js`.
 * It names the content, so it may be kept for ever. Throws for a file that isn't there.
 */
export function assetUrl(path: string): string {
  const asset = assets.get(path)
  if (!asset) throw new Error(`There is no asset ${path} under public/`)
  return address(path, asset)
}

/** Answers a request for an asset; undefined when no asset has this address. */
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

/** Takes up changed files of `public/` without a restart: for development. */
export function watchAssets(): void {
  let settled: Timer | undefined
  watch(root, { recursive: true }, () => {
    clearTimeout(settled)
    settled = setTimeout(() => (assets = loadAssets(root)), 50)
  }).unref()
}
