import { CryptoHasher } from 'bun'

export const newHash = () => new CryptoHasher('sha256')

/** Hashes of whole files between their chunks. A process that did not receive the beginning has none. */
export interface RunningHashes {
  /** Null unless this process has hashed exactly the first `received` bytes. */
  at(uploadId: string, received: number): CryptoHasher | null
  set(uploadId: string, received: number, hash: CryptoHasher): void
  delete(uploadId: string): void
}

const most = 1_000

export function createRunningHashes(): RunningHashes {
  const kept = new Map<string, { received: number; hash: CryptoHasher }>()
  return {
    at: (uploadId, received) => {
      if (received === 0) return newHash()
      const found = kept.get(uploadId)
      return found?.received === received ? found.hash.copy() : null
    },
    set: (uploadId, received, hash) => {
      kept.delete(uploadId)
      kept.set(uploadId, { received, hash: hash.copy() })
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
    delete: (uploadId) => void kept.delete(uploadId),
  }
}
