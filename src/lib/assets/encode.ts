import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Asset } from './files.ts'

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const encoders = {
  br: (bytes: Uint8Array) => brotliCompressSync(bytes, quality),
  gzip: (bytes: Uint8Array) => gzipSync(bytes),
}

type Encoding = keyof typeof encoders

const cache = { br: new WeakMap<Asset, Uint8Array<ArrayBuffer>>(), gzip: new WeakMap<Asset, Uint8Array<ArrayBuffer>>() }

/** The best encoding that the client accepts. Fonts are already compressed. */
export function preferredEncoding(asset: Asset, accepted: string | null): Encoding | undefined {
  if (asset.type === 'font/woff2') return undefined
  return (['br', 'gzip'] as const).find((encoding) => accepted?.includes(encoding))
}

export function encodeAsset(asset: Asset, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const bytes = cache[encoding].get(asset) ?? encoders[encoding](asset.bytes)
  cache[encoding].set(asset, bytes)
  return bytes
}
