import { join } from 'node:path'
import { retryLater } from './errors.ts'
import { requireNoTransaction } from './outside-calls.ts'
import { diskStorage } from './storage/disk.ts'
import { requireKey, type Storage } from './storage/interface.ts'
import { s3Storage } from './storage/s3.ts'

export type { Storage, StoredFile } from './storage/interface.ts'

declare module './call.ts' {
  interface Provided {
    readonly storage: Storage
  }
}

interface Settings {
  DATA_DIR: string
  S3_ENDPOINT?: string
  S3_BUCKET?: string
  S3_ACCESS_KEY_ID?: string
  S3_SECRET_ACCESS_KEY?: string
  S3_REGION: string
}

/** Opens the S3-compatible store that is configured, or a folder in `DATA_DIR` (PLT-36). */
export function openStorage(settings: Settings): Storage {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!bucket) return guardStorage(diskStorage(join(settings.DATA_DIR, 'files')))
  return guardStorage(s3Storage({ endpoint, bucket, region, accessKeyId, secretAccessKey }))
}

const guardStorage = ({ put, putFile, read, delete: remove, exists, keys, removeUnfinished }: Storage): Storage => ({
  put: (key, content, contentType) => orUnavailable(key, (checked) => put(checked, content, contentType)),
  putFile: (key, path, contentType) => orUnavailable(key, (checked) => putFile(checked, path, contentType)),
  read: (key) => orUnavailable(key, read),
  delete: (key) => orUnavailable(key, remove),
  exists: (key) => orUnavailable(key, exists),
  keys,
  removeUnfinished,
})

async function orUnavailable<Result>(key: string, run: (key: string) => Promise<Result>): Promise<Result> {
  requireNoTransaction('The file storage')
  const checked = requireKey(key)
  try {
    return await run(checked)
  } catch (cause) {
    const detail = 'File storage is temporarily unavailable. Try again in a moment.'
    throw retryLater(503, 'storage_unavailable', detail, { cause })
  }
}
